import { useEffect, useRef } from 'react';
import { differenceOf } from '../../shared/base/json-edit.ts';
import { useI18n } from '../ui/i18n.tsx';
import type { EditorHandle, JsonEditorProps } from './json-editor.tsx';
import { DIAGNOSTICS, jsonDefaults, monaco } from './monaco.ts';

let models = 0;

/** The Monaco instance behind `JsonEditor`; loaded with it and not before. */
export function MonacoView({
  value,
  onChange,
  schema,
  readOnly = false,
  label,
  handle,
  group = null,
  onRun,
  onEscape,
}: JsonEditorProps) {
  const { t } = useI18n();
  const labels = useRef({ run: '', cancel: '' });
  labels.current = { run: t('uiComposer.run'), cancel: t('common.cancel') };
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor | null>(null);
  const handlers = useRef({ onChange, onRun, onEscape });
  Object.assign(handlers.current, { onChange, onRun, onEscape });
  const initial = useRef(value);
  /** The last change that came from outside, while it is being taken over. */
  const outside = useRef({ group: null as string | null, busy: false });

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    models++;
    const model = monaco.editor.createModel(
      initial.current,
      'json',
      monaco.Uri.parse(`inmemory://cetp/${models}.json`),
    );
    model.setEOL(lineEnd(initial.current));
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
    instance.onDidChangeModelContent(() => {
      if (outside.current.busy) return;
      outside.current.group = null;
      handlers.current.onChange?.(instance.getValue());
    });
    if (!readOnly) instance.focus();
    if (handle !== undefined) handle.current = handleOf(instance);
    if (!readOnly) addKeys(instance, handlers.current, labels.current);
    return () => {
      instance.dispose();
      model.dispose();
      editor.current = null;
      if (handle !== undefined) handle.current = null;
    };
  }, [readOnly, label, handle]);

  useEffect(() => {
    const model = editor.current?.getModel();
    // The model has one kind of line end; a text that mixes them stays as it is until it is edited here.
    if (model == null || unixed(model.getValue()) === unixed(value)) return;
    if (readOnly) model.setValue(value);
    else {
      // An edit and not a new text, so that undo goes back over what a form or a generator did.
      const known = outside.current.group;
      if (group === null || group !== known) model.pushStackElement();
      outside.current = { group, busy: true };
      const { start, end, text } = differenceOf(model.getValue(monaco.editor.EndOfLinePreference.LF), unixed(value));
      const places = [start, end].map((offset) => positionAt(model, offset));
      const range = monaco.Range.fromPositions(places[0] as monaco.Position, places[1]);
      model.pushEditOperations([], [{ range, text }], () => null);
      if (group === null) model.pushStackElement();
      outside.current.busy = false;
    }
  }, [value, readOnly, group]);

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

function unixed(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

function lineEnd(text: string): monaco.editor.EndOfLineSequence {
  const lines = text.split('\n').length - 1;
  const both = text.split('\r\n').length - 1;
  return lines > 0 && both === lines ? monaco.editor.EndOfLineSequence.CRLF : monaco.editor.EndOfLineSequence.LF;
}

/** An offset that counts each line end as one. */
function positionAt(model: monaco.editor.ITextModel, offset: number): monaco.Position {
  const head = model.getValue(monaco.editor.EndOfLinePreference.LF).slice(0, offset);
  const line = head.split('\n').length;
  return new monaco.Position(line, offset - head.lastIndexOf('\n'));
}

function handleOf(editor: monaco.editor.IStandaloneCodeEditor): EditorHandle {
  return {
    // The editor's own commands go to whichever text box has the keyboard.
    undo: () => void editor.getModel()?.undo(),
    redo: () => void editor.getModel()?.redo(),
    focus: () => editor.focus(),
    reveal: (offset) => {
      const model = editor.getModel();
      if (model === null) return;
      const place = positionAt(model, unixed(model.getValue().slice(0, offset)).length);
      editor.setPosition(place);
      editor.revealPositionInCenter(place);
      editor.focus();
    },
  };
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
