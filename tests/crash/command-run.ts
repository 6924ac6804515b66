import { MemoryDisk, memoryHost, ProcessEnded, type Survival } from '@terrane/testkit';
import { type RunOptions, type RunResult, Workbench } from 'terrane/testing';
import type { Cut, Moment } from './crash-run.ts';
import { CRASH_PROVIDER, CrashWorld } from './crash-world.ts';
import { ENCRYPTION_SETTINGS, readable } from './encrypted.ts';

/** A second address of the provider whose objects are in a {@link CrashWorld}. */
export const COPIED_PROVIDER = 'registry.terraform.io/example/crash';

let lastPid = 5000;

/** A machine on which commands are run as somebody types them, and what exists outside of it. */
export class CommandScene {
  readonly disk: MemoryDisk;
  readonly world: CrashWorld;
  /** states and plans are encrypted */
  readonly isEncrypted: boolean;

  constructor(
    isEncrypted: boolean,
    disk: MemoryDisk = new MemoryDisk(),
    world: CrashWorld = new CrashWorld(),
  ) {
    this.isEncrypted = isEncrypted;
    this.disk = disk;
    this.world = world;
  }

  /** The same after the machine or process ended, to go on with on its own. */
  copy(survival: Survival = 'everything'): CommandScene {
    return new CommandScene(this.isEncrypted, this.disk.survive(survival), this.world.copy());
  }

  async write(path: string, text: string): Promise<void> {
    await memoryHost({ disk: this.disk }).files.replaceFile(path, text);
  }

  /** Returns the text of a file, decrypted if necessary. */
  async read(path: string): Promise<string> {
    return readable(await memoryHost({ disk: this.disk }).files.readFile(path));
  }

  /** Runs a command that must succeed. */
  async run(command: string): Promise<void> {
    const { result } = await this.runCut(command);
    if (result.code !== 0) throw new Error(`${command} fails: ${result.stdout}${result.stderr}`);
  }

  /** Runs a command that may be cut off, and gives what it asked of the disk, moment by moment. */
  async runCut(
    command: string,
    cut: Cut = () => undefined,
  ): Promise<{ readonly result: RunResult; readonly moments: readonly Moment[] }> {
    const moments: Moment[] = [];
    const create = () => this.world.provider(() => undefined);
    const provider = { kind: 'in-process', create } as const;
    const options: RunOptions = {
      pid: ++lastPid,
      fault({ kind, path }) {
        if (kind === 'read') return undefined;
        moments.push({ what: `${kind} ${path}`, isCall: false });
        return cut({ what: `${kind} ${path}`, isCall: false }, moments.length - 1);
      },
      environment: this.isEncrypted ? { TF_ENCRYPTION: ENCRYPTION_SETTINGS } : {},
      providers: new Map([
        [CRASH_PROVIDER, provider],
        [COPIED_PROVIDER, provider],
      ]),
    };
    try {
      const result = await new Workbench(this.disk).run(`${command} -no-color`, options);
      return { result, moments };
    } catch (error) {
      const why = error instanceof Error ? (error.cause ?? error) : error;
      if (!(why instanceof ProcessEnded)) throw error;
      return { result: { code: 137, stdout: '', stderr: 'killed' }, moments };
    }
  }
}
