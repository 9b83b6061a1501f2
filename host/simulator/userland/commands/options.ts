/** How a command's arguments read: flags, flags with a value, and the rest. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface OptionRules {
  readonly flags?: readonly string[];
  readonly valued?: readonly string[];
  /** Options end at the first operand. */
  readonly strictOrder?: boolean;
}

/** Reads `argv` after the command's own name. Throws `UsageError` with Android's words for an unknown option. */
export function readOptions(args: readonly string[], rules: OptionRules): Options {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (rules.valued?.includes(arg) === true) {
      const value = args[++index];
      if (value === undefined) throw new UsageError(`Argument expected after "${arg}"`);
      values.set(arg, value);
    } else if (rules.flags?.includes(arg) === true) {
      flags.add(arg);
    } else if (arg.startsWith('-') && arg !== '-' && !(rules.strictOrder === true && rest.length > 0)) {
      throw new UsageError(`Unknown option: ${arg}`);
    } else {
      rest.push(arg);
    }
  }
  return { flags, values, rest };
}
