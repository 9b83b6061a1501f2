import { useEffect, useRef } from 'react';
import { useI18n } from '../ui/i18n.tsx';
import type { JsonEditorProps } from './json-editor.tsx';
import { DIAGNOSTICS, jsonDefaults, monaco } from './monaco.ts';

let models = 0;

/** The Monaco instance behind `JsonEditor`; loaded with it and not before. */
export function MonacoView({ value, onChange, schema, readOnly = false, label, onRun, onEscape }: JsonEditorProps) {
  const { t } = useI18n();
  const labels = useRef({ run: '', cancel: '' });
  labels.current = { run: t('uiComposer.run'), cancel: t('common.cancel') };
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor | null>(null);
  const handlers = useRef({ onChange, onRun, onEscape });
  Object.assign(handlers.current, { onChange, onRun, onEscape });
  const initial = useRef(value);

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    models++;
    const model = monaco.editor.createModel(
      initial.current,
      'json',
      monaco.Uri.parse(`inmemory://cetp/${models}.json`),
    );
    model.setEOL(monaco.editor.EndOfLineSequence.LF);
    model.updateOptions({ tabSize: 2, insertSpaces: true });
    const instance = monaco.editor.create(element, {
      model,
      readOnly,
      tabFocusMode: readOnly,
      ariaLabel: label,
      automaticLayout: true,
      minimap: { enabled: false },
      fontSize: 12,
      lineHeight: 19,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
      fontLigatures: false,
      lineNumbersMinChars: 3,
      folding: true,
      scrollBeyondLastLine: false,
      wordWrap: 'on',
      links: false,
      renderControlCharacters: true,
      renderLineHighlight: readOnly ? 'none' : 'line',
      unicodeHighlight: {
        invisibleCharacters: true,
        ambiguousCharacters: true,
        nonBasicASCII: false,
        includeStrings: true,
      },
      unusualLineTerminators: 'off',
      stopRenderingLineAfter: 10_000,
      fixedOverflowWidgets: true,
      overviewRulerLanes: 0,
      padding: { top: 8, bottom: 8 },
      quickSuggestions: { strings: true, other: true, comments: false },
      scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    });
    editor.current = instance;
    instance.onDidChangeModelContent(() => handlers.current.onChange?.(instance.getValue()));
    if (!readOnly) instance.focus();
    if (!readOnly) addKeys(instance, handlers.current, labels.current);
    return () => {
      instance.dispose();
      model.dispose();
      editor.current = null;
    };
  }, [readOnly, label]);

  useEffect(() => {
    const model = editor.current?.getModel();
    if (model == null || model.getValue() === value) return;
    // An edit and not a new text, so that undo goes back over a generated example.
    if (readOnly) model.setValue(value);
    else model.pushEditOperations([], [{ range: model.getFullModelRange(), text: value }], () => null);
  }, [value, readOnly]);

  useEffect(() => {
    const uri = editor.current?.getModel()?.uri.toString();
    if (uri === undefined || schema == null) return;
    jsonDefaults.setDiagnosticsOptions({
      ...DIAGNOSTICS,
      schemas: [{ uri: `${uri}.schema`, fileMatch: [uri], schema }],
    });
    return () => jsonDefaults.setDiagnosticsOptions(DIAGNOSTICS);
  }, [schema]);

  return <div ref={host} className="monaco-host" />;
}

/** Actions and not commands: a command's key would count for every editor on the page. */
function addKeys(
  editor: monaco.editor.IStandaloneCodeEditor,
  handlers: { readonly onRun: (() => void) | undefined; readonly onEscape: (() => void) | undefined },
  labels: { readonly run: string; readonly cancel: string },
): void {
  editor.addAction({
    id: 'cetp.run',
    label: labels.run,
    keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter],
    run: () => handlers.onRun?.(),
  });
  editor.addAction({
    id: 'cetp.cancel',
    label: labels.cancel,
    keybindings: [monaco.KeyCode.Escape],
    keybindingContext:
      '!suggestWidgetVisible && !findWidgetVisible && !editorHoverFocused && !editorHasMultipleSelections && !inSnippetMode && !markersNavigationVisible',
    run: () => handlers.onEscape?.(),
  });
}
