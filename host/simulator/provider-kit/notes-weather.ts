import type { PackageSpec } from '../virtual-device.ts';
import { ACCESS_TOOLS, providerPackage, V1 } from './package-builder.ts';
import type { RecordingApp } from './recorder.ts';
import { createV1Provider, V1Refusal } from './v1-provider.ts';

export const NOTES_PACKAGE = 'org.example.notes';

/** (a) A v1 read-only Provider behind ACCESS_TOOLS, which it also defines. */
export function notesPackage(app: RecordingApp = createNotesProvider()): PackageSpec {
  return providerPackage({
    package: NOTES_PACKAGE,
    label: 'Field Notes',
    app,
    version: V1,
    versions: null,
    definesPermissions: [ACCESS_TOOLS],
    spec: { versionName: '4.2.1', versionCode: 421, labelIsResource: true },
  });
}

const NOTES = [
  { id: 1, title: 'Heron colony', text: 'Eleven nests on the north bank.', place: 'Old weir' },
  { id: 2, title: 'Water level', text: 'Down 12 cm since Monday.', place: 'Lock 4' },
  { id: 3, title: 'Broken gauge', text: 'Reads 0.0 since the storm.', place: 'Lock 4' },
];

export function createNotesProvider(): RecordingApp {
  return createV1Provider({
    providerName: 'Field Notes',
    description: 'Notes and weather of your field trips',
    scopes: [{ name: 'notes.read', description: 'Read your notes' }],
    tools: [
      {
        name: 'search_notes',
        description: 'Find notes whose title or text contains a word.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string', minLength: 1 }, limit: { type: 'integer', minimum: 1, maximum: 50 } },
          required: ['query'],
        },
        run: (args) => {
          const query = String(args['query']).toLowerCase();
          const notes = NOTES.filter((note) => `${note.title} ${note.text}`.toLowerCase().includes(query));
          return { notes };
        },
      },
      {
        name: 'get_weather',
        description: 'Current weather at a place of your notes.',
        parameters: {
          type: 'object',
          properties: { place: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
          required: ['place'],
        },
        run: (args) => {
          const celsius = 11.5;
          const fahrenheit = args['unit'] === 'fahrenheit';
          return {
            place: String(args['place']),
            temperature: fahrenheit ? celsius * 1.8 + 32 : celsius,
            unit: fahrenheit ? 'fahrenheit' : 'celsius',
            observed_at: '2026-09-01T06:00:00Z',
          };
        },
      },
      {
        name: 'get_private_notes',
        description: 'Notes that you marked as private.',
        parameters: { type: 'object', properties: {} },
        run: () => {
          throw new V1Refusal('AUTH_REQUIRED', 'Private notes are locked', {
            resolution_hint: 'Open Field Notes and unlock private notes',
            authorize_intent: 'org.example.notes.ACTION_UNLOCK',
          });
        },
      },
    ],
  });
}
