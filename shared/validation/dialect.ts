/** The drafts whose rules are checked. v2 3.2: the default is 2020-12. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

export const DEFAULT_DIALECT_URI = 'https://json-schema.org/draft/2020-12/schema';

const BY_URI: Readonly<Record<string, Dialect>> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
};

/** The draft that a dialect URI names, or null for one that is not checked. An empty fragment and the scheme do not matter. */
export function dialectOf(uri: string): Dialect | null {
  const bare = uri
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/#$/, '');
  return Object.hasOwn(BY_URI, bare) ? (BY_URI[bare] as Dialect) : null;
}
