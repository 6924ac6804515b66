// A project of the lifecycle provider whose objects are changed behind its back.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWithin } from 'terrane/testing/with-providers';
import { ADDRESS, lifecycleProvider } from '../lifecycle/provider/provider.ts';
import { schemaProblems } from '../schemas/schema-problems.ts';

/** The result of a command. */
export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The header of configurations that use the provider. */
export const REQUIRED: string = `terraform {
  required_providers {
    life = {
      source = "${ADDRESS}"
    }
  }
}
`;

/** A temporary project. */
export class DriftBench {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'terrane-drift-'));
  readonly #log: string = join(this.directory, '../', `${this.directory.split('/').at(-1)}.log`);

  /** environment variables of each command */
  readonly environment: Readonly<Record<string, string>>;

  constructor(
    configuration: string,
    isWhole: boolean = false,
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.environment = environment;
    this.write('main.tf', isWhole ? configuration : `${REQUIRED}${configuration}`);
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
    rmSync(this.#log, { force: true });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.directory, name), 'utf8');
  }

  exists(name: string): boolean {
    return existsSync(join(this.directory, name));
  }

  /** Runs a command in this process. */
  async run(...args: readonly string[]): Promise<Ran> {
    rmSync(this.#log, { force: true });
    const isApply = args[0] === 'apply';
    let places = 0;
    const create = () =>
      lifecycleProvider({
        directory: this.directory,
        log: this.#log,
        place: String((places += 1)),
        applying: isApply,
        wait: () => undefined,
      });
    return await runWithin(args, {
      directory: this.directory,
      environment: {
        HOME: this.directory,
        PATH: process.env['PATH'] ?? '',
        ...this.environment,
      },
      providers: new Map([[ADDRESS, { kind: 'in-process', create }]]),
    });
  }

  /** Applies the configuration. */
  async apply(): Promise<void> {
    const { exit, stdout, stderr } = await this.run('apply', '-auto-approve', '-no-color');
    if (exit !== 0) throw new Error(`apply failed: ${stdout}${stderr}`);
  }

  /** Runs `drift -json`. */
  async drift(...args: readonly string[]): Promise<{ exit: number; report: DriftDocument }> {
    const { exit, stdout, stderr } = await this.run('drift', '-json', ...args);
    let report: DriftDocument;
    try {
      report = JSON.parse(stdout) as DriftDocument;
    } catch {
      throw new Error(`no report: ${stdout}${stderr}`);
    }
    const problems = schemaProblems('drift', report);
    if (problems !== '') throw new Error(problems);
    return { exit, report };
  }

  /** The kinds of calls that the provider received in the last command. */
  calls(): ReadonlySet<string> {
    if (!existsSync(this.#log)) return new Set();
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n');
    const begun = lines.flatMap((line) => /"call":"(\w+) /.exec(line)?.[1] ?? []);
    return new Set(begun);
  }

  /** Changes attributes of an object of the service; null removes them. */
  change(id: string, attributes: Readonly<Record<string, unknown>>): void {
    const path = `cloud/${id}.json`;
    const object = JSON.parse(this.read(path)) as Record<string, unknown>;
    this.write(path, JSON.stringify({ ...object, ...attributes }));
  }

  /** Removes an object of the service. */
  vanish(id: string): void {
    rmSync(join(this.directory, `cloud/${id}.json`));
  }
}

/** The document of `drift -json`. */
export interface DriftDocument {
  readonly complete: boolean;
  readonly summary: {
    readonly alarms: number;
    readonly ignored: number;
    readonly below_level: number;
  };
  readonly entries: readonly {
    readonly address: string;
    readonly kind: string;
    readonly level: string;
    readonly alarm: boolean;
    readonly ignored: boolean;
    readonly vanished: boolean;
    readonly changes: readonly {
      readonly attribute: string;
      readonly level: string;
      readonly before?: unknown;
      readonly after?: unknown;
      readonly before_sensitive?: boolean;
      readonly after_sensitive?: boolean;
      readonly ignored_by?: { readonly reason: string };
      readonly references: readonly { readonly from: string }[];
    }[];
    readonly plan: {
      readonly action: string;
      readonly consequences: readonly { readonly address: string; readonly action: string }[];
    };
  }[];
  readonly expired_rules: readonly { readonly owner: string }[];
  readonly unused_rules: readonly { readonly owner: string }[];
  readonly diagnostics: readonly { readonly summary: string }[];
}
