import { z } from 'zod';
import { CallFile, EnvironmentFile, SecretsFile } from './file-shape.ts';

const print = (shape: z.ZodType, title: string) => {
  const schema = z.toJSONSchema(shape, { target: 'draft-2020-12', io: 'input' });
  return JSON.stringify({ ...schema, title }, null, 2);
};

/** The JSON Schemas of the files, as `docs/formats.md` shows them. */
export const FILE_SCHEMAS = {
  call: () => print(CallFile, 'CETP Inspector: saved call, version 1'),
  environment: () => print(EnvironmentFile, 'CETP Inspector: environment, version 1'),
  secrets: () => print(SecretsFile, 'CETP Inspector: secrets of an environment, version 1'),
};
