import { deferred } from './deferred.ts';
import { pauses } from './pauses.ts';
import { isAbsolute, type ProjectModel, resolvePath, spanOf } from '@terrane/analysis';
import type { Diagnostic as EngineDiagnostic } from '@terrane/hcl';
import type { Clock } from '@terrane/host';
import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { ModuleEngines } from './module-engines.ts';
import type { Positions } from './positions.ts';
import { protocolDiagnostic } from './protocol-items.ts';
import type { Settings } from './settings.ts';
import type { Uris } from './uris.ts';

/** Pause in typing before a module is validated, before it is evaluated, and before providers validate it. */
const VALIDATE_AFTER_MS = 10;
const VALUES_AFTER_MS = 100;
const PROVIDERS_AFTER_MS = 400;

/** The diagnostics of a file, as the protocol has them. */
export interface FileReport {
  /** differs for different diagnostics and versions */
  readonly id: string;
  readonly text: string;
  readonly version: number | undefined;
  readonly items: readonly Diagnostic[];
}

const NO_REPORT: FileReport = { id: '0', text: '', version: undefined, items: [] };

/** The ports of {@link DiagnosticsPublisher}. */
export interface PublisherPorts {
  readonly connection: Connection;
  readonly model: ProjectModel;
  readonly engines: ModuleEngines;
  readonly uris: Uris;
  readonly positions: () => Positions;
  readonly settings: () => Settings;
  readonly clock: Clock;
  /** the version of an open document, as the client counts */
  readonly versionOf: (path: string) => number | undefined;
  /** reports an internal error */
  readonly failed: (what: string, error: unknown) => void;
  /** writes a message for the user into the log of the client */
  readonly inform: (message: string) => void;
  /** true if the client pulls diagnostics */
  readonly isPulled: () => boolean;
  /** lets the client ask again, because diagnostics that it did not ask for just now have changed */
  readonly askAgain: () => void;
  /** schemas or values of a module changed */
  readonly refreshed: (directory: string) => void;
}

/**
 * Publishes diagnostics of modules: syntax errors at once, the engine's validation after a short pause, and that of
 * providers in the background. A newer change cancels what was scheduled for an older one.
 */
export class DiagnosticsPublisher {
  readonly #ports: PublisherPorts;
  readonly #scheduled = new Map<string, AbortController>();
  readonly #published = new Map<string, FileReport>();
  /** by module, resolves when the scheduled validation has reported */
  readonly #reporting = new Map<string, ReturnType<typeof deferred<void>>>();
  /** by module, resolves when its values follow the scheduled validation */
  readonly #evaluating = new Map<string, ReturnType<typeof deferred<void>>>();
  /** files whose diagnostics a request waits for */
  readonly #awaited = new Set<string>();
  #reports = 0;
  readonly #running = new Map<string, Promise<void>>();

  constructor(ports: PublisherPorts) {
    this.#ports = ports;
  }

  /** Publishes the syntax errors of a document, and schedules the validation of its module. */
  changed(path: string, isTyping: boolean): void {
    const { engines, model, settings } = this.#ports;
    const document = model.document(path);
    if (document === undefined) return;
    if (!document.isSound()) {
      this.#publish(path, document.parsed.diagnostics);
    }
    const { role } = document.kind;
    if (role === 'template' || role === 'lock' || role === 'other') {
      this.#publish(path, document.parsed.diagnostics);
      return;
    }
    if (isTyping && !settings().validation.onType) return;
    const directory = model.moduleDirectoryOf(document);
    this.schedule(directory);
    // Modules in use that call this one see other inputs and outputs.
    for (const caller of engines.callersOf(directory)) this.schedule(caller);
  }

  /** Removes the diagnostics of a closed document. */
  closed(path: string): void {
    this.#publish(path, []);
  }

  /** Schedules the validation of a module. */
  schedule(directory: string): void {
    this.#scheduled.get(directory)?.abort();
    const controller = new AbortController();
    this.#scheduled.set(directory, controller);
    if (!this.#reporting.has(directory)) this.#reporting.set(directory, deferred<void>());
    if (!this.#evaluating.has(directory)) this.#evaluating.set(directory, deferred<void>());
    void this.#run(directory, controller.signal).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      this.#reported(directory);
      this.#evaluated(directory);
      this.#ports.failed('validation', error);
    });
  }

  /** Returns the diagnostics of a file, after a scheduled validation of its module. */
  async reportOf(path: string): Promise<FileReport> {
    const { model } = this.#ports;
    const document = model.document(path);
    this.#awaited.add(path);
    try {
      if (document !== undefined)
        await this.#reporting.get(model.moduleDirectoryOf(document))?.promise;
    } finally {
      this.#awaited.delete(path);
    }
    return this.#published.get(path) ?? NO_REPORT;
  }

  /**
   * Returns the diagnostics of all files of a module. One that is not in use is validated without plugins. `pause` is
   * called in between.
   */
  async moduleReports(
    directory: string,
    pause: () => Promise<void> | undefined,
  ): Promise<ReadonlyMap<string, FileReport>> {
    const { engines, model, settings } = this.#ports;
    if (engines.get(directory) === undefined) {
      const engine = engines.temporary(directory);
      const untrusted = { ...settings(), trusted: false };
      try {
        await engine.prepare(pause);
        await engine.load(untrusted);
        await engine.openProviders(untrusted);
        const { diagnostics } = await engine.validate(untrusted, false, pause);
        this.#report(directory, diagnostics);
      } finally {
        await engine.close();
      }
    } else await this.#reporting.get(directory)?.promise;
    const paths = [
      ...model.module(directory).paths,
      ...model.satellites(directory).map(({ path }) => path),
    ];
    return new Map(paths.map((path) => [path, this.#published.get(path) ?? NO_REPORT]));
  }

  /** Waits for the values of a module that is scheduled and was not evaluated yet. */
  async firstValues(directory: string): Promise<void> {
    if (this.#ports.engines.values(directory) !== undefined) return;
    await this.#evaluating.get(directory)?.promise;
  }

  #evaluated(directory: string): void {
    this.#evaluating.get(directory)?.resolve();
    this.#evaluating.delete(directory);
  }

  #reported(directory: string): void {
    this.#reporting.get(directory)?.resolve();
    this.#reporting.delete(directory);
  }

  /** Waits until nothing is scheduled for a module. */
  async settled(directory: string): Promise<void> {
    await this.#running.get(directory);
  }

  /** Cancels everything that is scheduled. */
  stop(): void {
    for (const controller of this.#scheduled.values()) controller.abort();
    for (const directory of this.#reporting.keys()) this.#reported(directory);
    for (const directory of this.#evaluating.keys()) this.#evaluated(directory);
  }

  async #run(directory: string, signal: AbortSignal): Promise<void> {
    const { clock, engines, settings, refreshed } = this.#ports;
    await clock.sleep(VALIDATE_AFTER_MS, signal, { background: true });
    // Validations of one module do not overlap: a cancelled one ends first.
    await this.#running.get(directory);
    if (signal.aborted) return;
    const { promise, resolve } = deferred<void>();
    this.#running.set(directory, promise);
    const pause = pauses(clock, signal);
    try {
      const engine = engines.of(directory);
      await engine.prepare(pause);
      await engine.load(settings());
      await pause();
      this.#report(directory, (await engine.validate(settings(), false, pause)).diagnostics);
      const isNew = await engine.openProviders(settings());
      if (signal.aborted) return;
      const moduleDiagnostics = isNew ? await engine.validate(settings(), false, pause) : undefined;
      if (moduleDiagnostics !== undefined) {
        this.#report(directory, moduleDiagnostics.diagnostics);
        this.#informOf(directory, moduleDiagnostics.missing);
      }
      this.#reported(directory);
      // Values are for readers: while text is being typed, only its errors matter.
      await clock.sleep(VALUES_AFTER_MS, signal, { background: true });
      await engine.readState(settings());
      await engine.evaluate(settings(), pause);
      if (signal.aborted) return;
      this.#evaluated(directory);
      refreshed(directory);
    } finally {
      resolve();
    }
    if (!settings().validation.providers) return;
    await clock.sleep(PROVIDERS_AFTER_MS, signal, { background: true });
    const engine = engines.of(directory);
    const { diagnostics } = await engine.validate(settings(), true, pause);
    if (!signal.aborted) this.#report(directory, diagnostics);
  }

  /** Logs once for each set of providers why schemas are missing, so that completion and validation lack them. */
  #informOf(directory: string, missing: readonly EngineDiagnostic[]): void {
    const errors = missing.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return;
    const texts = errors.map(({ summary, detail }) => `${summary}: ${detail}`);
    this.#ports.inform(`Providers of ${directory} are not available. ${texts.join('\n')}`);
  }

  /** Publishes the diagnostics of a module by file; files without any that had some are cleared. */
  #report(directory: string, diagnostics: readonly EngineDiagnostic[]): void {
    const { model } = this.#ports;
    const byFile = new Map<string, EngineDiagnostic[]>();
    for (const path of model.module(directory).paths) byFile.set(path, []);
    for (const { path } of model.satellites(directory)) byFile.set(path, []);
    for (const diagnostic of diagnostics) {
      const file = diagnostic.subject?.source.root.filename;
      if (file === undefined) continue;
      const path = isAbsolute(file) ? file : resolvePath(directory, file);
      // Errors of other modules are reported when these are opened.
      byFile.get(path)?.push(diagnostic);
    }
    let isNews = false;
    for (const [path, fileDiagnostics] of byFile) {
      const document = model.isOpen(path) ? model.document(path) : undefined;
      // The loader reports syntax errors too, but not those of files that it does not read.
      const syntax = document?.parsed.diagnostics ?? [];
      const known = new Set(
        fileDiagnostics.map(({ summary, subject }) => `${subject?.start} ${summary}`),
      );
      const all = [
        ...fileDiagnostics,
        ...syntax.filter(({ summary, subject }) => !known.has(`${subject?.start} ${summary}`)),
      ];
      if (this.#publish(path, all) && !this.#awaited.has(path)) isNews = true;
    }
    if (isNews && this.#ports.isPulled()) this.#ports.askAgain();
  }

  /** Publishes the diagnostics of a file. Returns true if they have changed. */
  #publish(path: string, diagnostics: readonly EngineDiagnostic[]): boolean {
    const { connection, model, uris, positions, versionOf, failed } = this.#ports;
    const converted: Diagnostic[] = [];
    for (const diagnostic of diagnostics) {
      const { subject } = diagnostic;
      if (subject === undefined) continue;
      const { text } = model.document(path) ?? subject.source.root;
      converted.push(protocolDiagnostic(diagnostic, spanOf(subject), text, positions()));
    }
    const version = versionOf(path);
    const text = JSON.stringify([version, converted]);
    // Clients keep the last diagnostics of a file.
    const before = this.#published.get(path);
    if (
      before?.text === text ||
      (before === undefined && converted.length === 0 && version === undefined)
    )
      return false;
    if (converted.length === 0 && version === undefined) this.#published.delete(path);
    else this.#published.set(path, { id: `${++this.#reports}`, text, version, items: converted });
    if (this.#ports.isPulled()) return true;
    const sent = connection.sendDiagnostics({
      uri: uris.uriOf(path),
      diagnostics: converted,
      ...(version === undefined ? {} : { version }),
    });
    sent.then(undefined, (error: unknown) => failed('publishing', error));
    return true;
  }
}
