import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

export const APP_VERSION = version;
export const ASSETS_ROOT = path.join(root, 'assets');
export const RENDERER_ROOT = path.join(root, 'dist', 'renderer');
