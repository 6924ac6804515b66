import { BOOL, convert, CtyError, NUMBER, numToInt, STRING, str, type Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';

/** The arguments of a backend configuration, with environment variables as fallback. */
export class BackendArguments {
  readonly #config: Value;
  readonly #environment: Environment;

  constructor(config: Value, environment: Environment) {
    this.#config = config;
    this.#environment = environment;
  }

  /** Returns an argument; `undefined` if it is null. */
  value(name: string): Value | undefined {
    const value = this.#config.attr(name);
    return value.isNull ? undefined : value;
  }

  /** Returns a string argument, otherwise the environment variable if it is set and not empty. */
  text(name: string, variable?: string): string | undefined {
    return this.value(name)?.asString() ?? this.variable(variable);
  }

  /** Variant of `text` that treats an empty argument as absent. */
  filled(name: string, variable?: string): string | undefined {
    const argument = this.value(name)?.asString() ?? '';
    return argument === '' ? this.variable(variable) : argument;
  }

  /**
   * Returns a bool argument, otherwise the environment variable, in the notations of Go. Throws an error with Go's text
   * for others.
   */
  truth(name: string, variable: string | undefined, otherwise: boolean): boolean {
    const argument = this.value(name);
    if (argument !== undefined) return convert(argument, BOOL).asBool();
    const variableText = this.variable(variable);
    if (variableText === undefined) return otherwise;
    if (TRUE_WORDS.has(variableText)) return true;
    if (FALSE_WORDS.has(variableText)) return false;
    throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(variableText)}: invalid syntax`);
  }

  /** Returns an integer argument, otherwise the environment variable. Throws an error with Terraform's text. */
  wholeNumber(name: string, variable: string, otherwise: number): number {
    const argument = this.value(name) ?? textOrNothing(this.variable(variable));
    if (argument === undefined) return otherwise;
    try {
      const integer = numToInt(convert(argument, NUMBER).asNum());
      // Terraform's message.
      if (integer === undefined) throw new Error('must not be a whole number');
      return Number(integer);
    } catch (error) {
      if (error instanceof CtyError) throw new Error(error.message, { cause: error });
      throw error;
    }
  }

  /** A number argument, truncated to an integer; `undefined` if it is not set. */
  integer(name: string): number | undefined {
    const argument = this.value(name);
    return argument === undefined
      ? undefined
      : Math.trunc(Number(convert(argument, STRING).asString()));
  }

  /** The first of some environment variables that is set and not empty. */
  firstVariable(names: readonly string[]): string | undefined {
    for (const name of names) {
      const text = this.variable(name);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** An environment variable that is set and not empty. */
  variable(name: string | undefined): string | undefined {
    const text = name === undefined ? undefined : this.#environment.get(name);
    return text === '' ? undefined : text;
  }
}

/** Returns the only block of a name; `undefined` if there is none. */
export function blockOf(
  config: Value,
  name: string,
  environment: Environment,
): BackendArguments | undefined {
  const blocks = config.attr(name);
  const [block] = blocks.isNull ? [] : blocks.elements();
  return block === undefined || block.isNull ? undefined : new BackendArguments(block, environment);
}

function textOrNothing(text: string | undefined): Value | undefined {
  return text === undefined ? undefined : str(text);
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
