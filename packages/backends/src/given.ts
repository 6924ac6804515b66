import { BOOL, convert, CtyError, NUMBER, numToInt, STRING, str, type Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';

/** A configuration of a backend with what the environment gives for arguments that are not there. */
export class Given {
  readonly #config: Value;
  readonly #environment: Environment;

  constructor(config: Value, environment: Environment) {
    this.#config = config;
    this.#environment = environment;
  }

  /** The argument as it is; `undefined`: it is not there. */
  value(name: string): Value | undefined {
    const value = this.#config.attr(name);
    return value.isNull ? undefined : value;
  }

  /** The text of an argument, else of the environment variable where that is set and not empty. */
  text(name: string, variable?: string): string | undefined {
    return this.value(name)?.asString() ?? this.variable(variable);
  }

  /** Variant of `text` that treats an empty argument as absent. */
  filled(name: string, variable?: string): string | undefined {
    const given = this.value(name)?.asString() ?? '';
    return given === '' ? this.variable(variable) : given;
  }

  /**
   * The truth of an argument, else of the environment variable, in which all that Go takes for a truth may stand.
   * Throws an error with Go's text for another.
   */
  truth(name: string, variable: string | undefined, otherwise: boolean): boolean {
    const given = this.value(name);
    if (given !== undefined) return convert(given, BOOL).asBool();
    const said = this.variable(variable);
    if (said === undefined) return otherwise;
    if (TRUE_WORDS.has(said)) return true;
    if (FALSE_WORDS.has(said)) return false;
    throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(said)}: invalid syntax`);
  }

  /** The whole number of an argument, else of the environment variable. Throws an error with Terraform's text. */
  wholeNumber(name: string, variable: string, otherwise: number): number {
    const given = this.value(name) ?? textOrNothing(this.variable(variable));
    if (given === undefined) return otherwise;
    try {
      const whole = numToInt(convert(given, NUMBER).asNum());
      // Terraform's own words.
      if (whole === undefined) throw new Error('must not be a whole number');
      return Number(whole);
    } catch (error) {
      if (error instanceof CtyError) throw new Error(error.message, { cause: error });
      throw error;
    }
  }

  /** An argument that is a number, without what follows its point; `undefined`: it is not there. */
  integer(name: string): number | undefined {
    const given = this.value(name);
    return given === undefined ? undefined : Math.trunc(Number(convert(given, STRING).asString()));
  }

  /** The first of some environment variables that is set and not empty. */
  firstVariable(names: readonly string[]): string | undefined {
    for (const name of names) {
      const said = this.variable(name);
      if (said !== undefined) return said;
    }
    return undefined;
  }

  /** An environment variable that is set and not empty. */
  variable(name: string | undefined): string | undefined {
    const said = name === undefined ? undefined : this.#environment.get(name);
    return said === '' ? undefined : said;
  }
}

/** Returns the only block of a name; `undefined` if there is none. */
export function blockOf(config: Value, name: string, environment: Environment): Given | undefined {
  const blocks = config.attr(name);
  const [block] = blocks.isNull ? [] : blocks.elements();
  return block === undefined || block.isNull ? undefined : new Given(block, environment);
}

function textOrNothing(said: string | undefined): Value | undefined {
  return said === undefined ? undefined : str(said);
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
