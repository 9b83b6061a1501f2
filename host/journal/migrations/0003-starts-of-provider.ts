/** The exchanges of one method with one Provider, such as its negotiations, newest first. */
export const startsOfProvider = {
  version: 3,
  sql: `
    CREATE INDEX starts_of_provider ON events (device_key, provider_key, method, seq) WHERE starts = 1;
  `,
} as const;
