import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EventEmitter, type Event, type ExtensionContext, type Uri } from 'vscode';
import { type LastPlan, parsePlan } from './plan-summary.ts';
import type { Program } from './program.ts';
import type { RootModule } from './root-module.ts';

/** The last plan of each root module. Plan files are kept in the extension's storage, not in the repository. */
export class Plans {
  readonly #folder: string;
  readonly #program: Program;
  readonly #plans = new Map<string, LastPlan>();
  readonly #changed = new EventEmitter<RootModule>();
  readonly onDidChange: Event<RootModule> = this.#changed.event;

  constructor(context: ExtensionContext, program: Program) {
    this.#folder = (context.storageUri ?? context.globalStorageUri).fsPath;
    this.#program = program;
  }

  /** Returns the path of the plan file of a module. */
  async prepareFile(uri: Uri): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return this.#file(uri);
  }

  #file(uri: Uri): string {
    const name = createHash('sha256').update(uri.toString()).digest('hex').slice(0, 32);
    return join(this.#folder, `${name}.tfplan`);
  }

  /** Returns the last plan of a module; undefined if there is none. */
  get({ uri }: RootModule): LastPlan | undefined {
    return this.#plans.get(uri.toString());
  }

  /** Reads the plan file of a module again. */
  async reload(module: RootModule): Promise<void> {
    const file = this.#file(module.uri);
    this.#plans.delete(module.uri.toString());
    if (existsSync(file)) {
      const { code, stdout } = await this.#program.run(['show', '-json', file], module.uri);
      if (code === 0) this.#plans.set(module.uri.toString(), parsePlan(stdout, file));
    }
    this.#changed.fire(module);
  }

  /** Deletes the plan of a module. */
  async discard(module: RootModule): Promise<void> {
    await rm(this.#file(module.uri), { force: true });
    this.#plans.delete(module.uri.toString());
    this.#changed.fire(module);
  }
}
