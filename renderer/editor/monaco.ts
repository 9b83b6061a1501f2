// Monaco's JSON mode brings every feature along when it is fetched; loaded here, their services are there from the start.
import 'monaco-editor/features/register.all';
import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';

export { jsonDefaults, monaco };

declare global {
  interface Window {
    MonacoEnvironment?: { readonly getWorker: (id: string, label: string) => Worker };
  }
}

/** Workers are chunks of our own build: the policy of the page allows no other. */
window.MonacoEnvironment = {
  getWorker: (_id, label) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
};

// Nothing that a device wrote opens by a click.
monaco.editor.registerLinkOpener({ open: () => true });

export const DIAGNOSTICS = {
  validate: true,
  allowComments: false,
  enableSchemaRequest: false,
  schemaValidation: 'warning',
  schemaRequest: 'ignore',
  trailingCommas: 'error',
  comments: 'error',
} as const;
jsonDefaults.setDiagnosticsOptions(DIAGNOSTICS);

const rules = {
  light: { key: '1c5a9f', string: '14683a', number: '8a4b00', word: '6a3bbd' },
  dark: { key: '82bcfa', string: '62cc90', number: 'e6b052', word: 'c3a3ff' },
  contrast: { key: 'a8d4ff', string: '7dffb0', number: 'ffc95c', word: 'dcc4ff' },
};

for (const [name, base, background] of [
  ['light', 'vs', '#ffffff'],
  ['dark', 'vs-dark', '#1b1d22'],
  ['contrast', 'hc-black', '#000000'],
] as const) {
  const color = rules[name];
  monaco.editor.defineTheme(`cetp-${name}`, {
    base,
    inherit: true,
    rules: [
      { token: 'string.key.json', foreground: color.key },
      { token: 'string.value.json', foreground: color.string },
      { token: 'number.json', foreground: color.number },
      { token: 'keyword.json', foreground: color.word },
    ],
    colors: name === 'contrast' ? {} : { 'editor.background': background, 'editorGutter.background': background },
  });
}

/** Follows the theme that is on the document. */
function followTheme(): void {
  monaco.editor.setTheme(`cetp-${document.documentElement.dataset['theme'] ?? 'light'}`);
}
followTheme();
new MutationObserver(followTheme).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ['data-theme'],
});
