/** `map` over a list with at most `limit` runs at once; results in the order of the list. The first throw ends it. */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of queue) results[index] = await run(item);
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

/** Runs a query once an argument, for the life of one look. */
export function memo<A extends string, R>(run: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  const known = new Map<A, Promise<R>>();
  return (argument) => {
    const running = known.get(argument) ?? run(argument);
    known.set(argument, running);
    return running;
  };
}
