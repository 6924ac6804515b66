import type { ResourceAddr } from '@terrane/addresses';
import { inProductName } from '@terrane/host';
import type { Action, DeferredReason, PlannedChange, PlannedInvocation } from '@terrane/engine';
import type { Diff } from '../diff/diff.ts';
import { colorize, horizontalRule, type TextStyle } from '../text/style.ts';
import { wordWrap } from '../text/word-wrap.ts';
import { type Cause, changeHeading, hasMoved } from './change-heading.ts';
import { attributeName, draw } from './draw.ts';
import { invocationText } from './invocation-text.ts';
import { topOptions } from './options.ts';
import { type Palette, paletteOf } from './palette.ts';
import { countActions, countsText, isShown } from './plan-counts.ts';
import { allDrift, changeDiff, diffOfOutput, relevantDrift, schemaBlock } from './plan-diffs.ts';
import type { ShownPlan } from './shown-plan.ts';
import { WholeObjects } from './whole-object.ts';

const WHY_DEFERRED: Readonly<Record<DeferredReason, string>> = {
  instance_count_unknown: 'because the number of resource instances is unknown',
  resource_config_unknown: 'because the resource configuration is unknown',
  provider_config_unknown: 'because the provider configuration is unknown',
  deferred_prereq: 'because a prerequisite for this resource is deferred',
  absent_prereq: 'because a prerequisite for this resource has not yet been created',
  unknown: 'for an unknown reason',
};

/**
 * Formats a plan as `terraform plan` prints it between the refresh messages and the closing note: drift, the legend,
 * every change, the count, the outputs; or that there are no changes. Ends with a line feed, unless it is empty.
 */
export function planText(plan: ShownPlan, style: TextStyle): string {
  return [...planTextParts(plan, style)].join('');
}

/**
 * Yields the text of {@link planText} in chunks of about 64 KiB, so that the text of a large plan is never in memory as a
 * whole.
 */
export function planTextParts(plan: ShownPlan, style: TextStyle): Iterable<string> {
  return new PlanWriter(plan, style).planParts();
}

/** Formats the planned change of one object as in {@link planText}; '' for no change. */
export function changeText(plan: ShownPlan, change: PlannedChange, style: TextStyle): string {
  return new PlanWriter(plan, style).changeText(change).trim();
}

/** Formats output changes as in {@link planText}; '' if there are none. */
export function outputChangesText(plan: ShownPlan, style: TextStyle): string {
  return new PlanWriter(plan, style).outputsText();
}

/** Returns the drift that {@link planText} shows if the plan has changes. */
export function shownDrift(plan: ShownPlan, style: TextStyle): readonly PlannedChange[] {
  return new PlanWriter(plan, style).drifted();
}

/** The length from which collected text is yielded, in UTF-16 code units. */
const PART_LENGTH = 65_536;

class PlanWriter {
  readonly #plan: ShownPlan;
  readonly #style: TextStyle;
  readonly #palette: Palette;
  readonly #wholeObjects: WholeObjects;
  /** the last result of `#beginning` */
  #last:
    | { readonly resource: ResourceAddr; readonly action: Action; readonly beginning: string }
    | undefined;
  #parts: string[] = [];
  #length = 0;

  constructor(plan: ShownPlan, style: TextStyle) {
    this.#plan = plan;
    this.#style = style;
    this.#palette = paletteOf(style);
    this.#wholeObjects = new WholeObjects(this.#palette);
  }

  *planParts(): Generator<string, void> {
    yield* this.#sections();
    if (this.#length > 0) yield this.#take();
  }

  *#sections(): Generator<string, void> {
    const plan = this.#plan;
    const changes = plan.changes.filter(isShown);
    const outputs = this.#outputLines();
    const drifted = yield* this.#drift(
      () => outputs === '' && changes.every((change) => this.#hasNoEffect(change)),
    );

    const { invocations } = plan;
    const isNothing = changes.length === 0 && outputs === '' && invocations.length === 0;
    if (isNothing && this.#nothingToDo(drifted)) return;
    if (drifted) this.#rule();
    if (plan.deferred.length > 0) {
      this.#deferred();
      this.#rule();
    }

    const counts = countActions(changes);
    if (counts.size > 0) this.#legend(counts);
    if (changes.length > 0 || invocations.length > 0) yield* this.#changes(changes);
    this.#invoked();
    if (outputs !== '') {
      this.#print(`\nChanges to Outputs:\n${outputs}\n`);
      if (counts.size === 0) {
        this.#paragraph(
          inProductName(
            '\nYou can apply this plan to save these new output values to the Terraform state, without changing any real infrastructure.',
          ),
        );
      }
    }
  }

  changeText(change: PlannedChange): string {
    this.#change(change, 'proposed');
    return this.#take();
  }

  outputsText(): string {
    return this.#outputLines();
  }

  drifted(): readonly PlannedChange[] {
    const drifts =
      this.#plan.mode === 'refresh-only' ? allDrift(this.#plan) : relevantDrift(this.#plan);
    return drifts.map(({ change }) => change).filter(({ action }) => action !== 'no-op');
  }

  #print(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  /** Returns the text that was printed since the last call. */
  #take(): string {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return text;
  }

  *#printChanges(
    changes: Iterable<{ readonly change: PlannedChange; readonly diff?: Diff }>,
    cause: Cause,
  ): Generator<string, void> {
    for (const { change, diff } of changes) {
      // One at a time: the diffs of a large plan are never held together.
      this.#change(change, cause, diff);
      if (this.#length > PART_LENGTH) yield this.#take();
    }
  }

  #colored(text: string): void {
    this.#print(colorize(text, this.#style.color));
  }

  #paragraph(text: string): void {
    this.#print(`${wordWrap(text, this.#style.width)}\n`);
  }

  #rule(): void {
    this.#print(`${horizontalRule(this.#style)}\n`);
  }

  // ---------- changes outside of Terraform ----------

  /** Writes the note on drift; returns false if there is none. */
  *#drift(isNothingElse: () => boolean): Generator<string, boolean> {
    const refreshOnly = this.#plan.mode === 'refresh-only';
    const drifts = refreshOnly ? allDrift(this.#plan) : relevantDrift(this.#plan);
    if (drifts.length === 0) return false;
    // Without changes, drift is irrelevant, except in a refresh-only plan.
    if (!refreshOnly && isNothingElse()) return false;

    this.#colored(
      inProductName('\n[bold][cyan]Note:[reset][bold] Objects have changed outside of Terraform\n'),
    );
    this.#print('\n');
    this.#print(
      wordWrap(
        inProductName(
          'Terraform detected the following changes made outside of Terraform since the last "terraform apply" which may have affected this plan:\n',
        ),
        this.#style.width,
      ),
    );
    yield* this.#printChanges(drifts, 'drift');
    this.#paragraph(
      refreshOnly
        ? inProductName(
            '\n\nThis is a refresh-only plan, so Terraform will not take any actions to undo these. If you were expecting these changes then you can apply this plan to record the updated values in the Terraform state without changing any remote objects.',
          )
        : '\n\nUnless you have made equivalent changes to your configuration, or ignored the relevant attributes using ignore_changes, the following plan may include actions to undo or respond to these changes.',
    );
    return true;
  }

  // ---------- deferred changes ----------

  #deferred(): void {
    const { color } = this.#style;
    this.#colored(
      '\n[bold][cyan]Note:[reset][bold] This is a partial plan, parts can only be known in the next plan / apply cycle.\n',
    );
    this.#print('\n');
    for (const { change, reason } of this.#plan.deferred) {
      const heading = colorize(
        `[bold]  # ${change.addr.text}[reset] was deferred\n  #[reset] (${WHY_DEFERRED[reason]})\n`,
        color,
      );
      if (this.#body(change, heading)) this.#print('\n');
    }
  }

  // ---------- no changes ----------

  /**
   * Writes the message for a plan without changes; returns true if it is the last one. Only a refresh-only plan, or a
   * failed one, can have drift here.
   */
  #nothingToDo(drifted: boolean): boolean {
    if (this.#plan.errored) {
      if (drifted) this.#rule();
      this.#colored(
        inProductName(
          '\n[reset][bold][red]Planning failed.[reset][bold] Terraform encountered an error while generating this plan.[reset]\n\n',
        ),
      );
      return false;
    }
    if (this.#plan.deferred.length > 0) {
      if (drifted) this.#rule();
      this.#colored(
        '\n[reset][bold][green]No current changes.[reset][bold] This plan requires another plan to be applied first.[reset]\n\n',
      );
      return false;
    }
    switch (this.#plan.mode) {
      case 'refresh-only':
        if (drifted) return true;
        this.#noChanges(
          'Your infrastructure still matches the configuration.',
          inProductName(
            'Terraform has checked that the real remote objects still match the result of your most recent changes, and found no differences.',
          ),
        );
        return true;
      case 'destroy':
        this.#noChanges(
          'No objects need to be destroyed.',
          inProductName(
            'Either you have not created any objects yet or the existing objects were already deleted outside of Terraform.',
          ),
        );
        return true;
      case 'normal':
        this.#noChanges(
          'Your infrastructure matches the configuration.',
          inProductName(
            'Terraform has compared your real infrastructure against your configuration and found no differences, so no changes are needed.',
          ),
        );
        return true;
    }
  }

  #noChanges(sentence: string, explanation: string): void {
    this.#colored(`\n[reset][bold][green]No changes.[reset][bold] ${sentence}[reset]\n\n`);
    this.#paragraph(explanation);
  }

  // ---------- changes ----------

  #legend(counts: ReadonlyMap<Action, number>): void {
    this.#paragraph(
      inProductName(
        '\nTerraform used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:',
      ),
    );
    for (const [action, description] of LEGEND) {
      if (counts.has(action)) this.#print(`${colorize(description, this.#style.color)}\n`);
    }
  }

  *#changes(changes: readonly PlannedChange[]): Generator<string, void> {
    this.#print(
      this.#plan.errored
        ? inProductName(
            '\nTerraform planned the following actions, but then encountered a problem:\n',
          )
        : inProductName('\nTerraform will perform the following actions:\n'),
    );
    yield* this.#printChanges(
      changes.map((change) => ({ change })),
      'proposed',
    );
    this.#print(`\n${countsText(this.#plan, this.#style)}`);
  }

  #change(change: PlannedChange, cause: Cause, diff?: Diff): void {
    const heading = changeHeading(change, cause, this.#style.color, this.#declaration(change));
    if (!this.#body(change, heading, diff)) return;
    if (cause === 'proposed' && change.deposed === undefined) this.#triggered(change);
    this.#print('\n');
  }

  /** Returns the declaration of a change's resource as a link target. */
  #declaration({ addr }: PlannedChange): string | undefined {
    const { link } = this.#style;
    if (link === undefined) return undefined;
    const { module, resource } = addr.config;
    const declared = this.#plan.configuration?.modules.get(module.text)?.resources;
    const range = declared?.get(resource.text)?.range;
    return range === undefined ? undefined : link(range.filename, range.from.line);
  }

  /** Writes a change below its heading; returns false if it has no content. `diff`: if it is computed already. */
  #body(change: PlannedChange, heading: string, diff?: Diff): boolean {
    if (change.action === 'no-op' && !hasMoved(change) && change.importing === undefined)
      return false;
    this.#print('\n');
    this.#print(heading);
    this.#print(this.#beginning(change));
    this.#print(this.#content(change, diff));
    return true;
  }

  /** Returns the beginning of the block of a change. Successive changes mostly have the same. */
  #beginning({ action, addr }: PlannedChange): string {
    const { resource } = addr.resource;
    if (resource !== this.#last?.resource || action !== this.#last.action) {
      const kind = resource.mode === 'managed' ? 'resource' : 'data';
      const beginning = `${this.#palette.symbols[action]} ${kind} "${resource.type}" "${resource.name}" `;
      this.#last = { resource, action, beginning };
    }
    return this.#last.beginning;
  }

  #content(change: PlannedChange, computedDiff: Diff | undefined): string {
    if (computedDiff === undefined) {
      const text = this.#wholeObjects.draw(change, schemaBlock(this.#plan, change));
      if (text !== undefined) return text;
    }
    const diff = computedDiff ?? changeDiff(this.#plan, change).diff;
    const options = topOptions(this.#palette, { showUnchanged: change.importing !== undefined });
    return draw(diff, 0, options);
  }

  // ---------- actions ----------

  /** Writes the actions that a change triggers below it. */
  #triggered(change: PlannedChange): void {
    if (this.#plan.invocations.length === 0) return;
    for (const when of ['before', 'after'] as const) {
      const invocations = this.#plan.invocations.filter(
        ({ trigger }) =>
          trigger.kind === 'lifecycle' &&
          trigger.resource === change.addr &&
          trigger.event.startsWith(when),
      );
      if (invocations.length === 0) continue;
      this.#colored(`\n\n    [bold]# Actions to be invoked ${when} this change in order:[reset]\n`);
      for (const invocation of invocations.sort(compareTriggers))
        this.#print(invocationText(this.#plan, invocation, this.#style));
    }
  }

  /** Writes the actions that the user requested. */
  #invoked(): void {
    const invocations = this.#plan.invocations.filter(({ trigger }) => trigger.kind === 'invoke');
    if (invocations.length === 0) return;
    this.#colored(inProductName('\nTerraform will invoke the following action(s):\n\n'));
    for (const [index, invocation] of invocations.entries()) {
      if (index > 0) this.#print('\n');
      const { addr, trigger } = invocation;
      const caller = trigger.kind === 'invoke' ? trigger.caller : undefined;
      this.#colored(`  [bold]# ${addr.text}[reset] will be invoked`);
      this.#print(caller === undefined ? '\n' : ` (called from ${caller.text})\n`);
      this.#print(invocationText(this.#plan, invocation, this.#style));
    }
    this.#print('\n');
  }

  /** Returns true if a change has no visible effect: an import without changes, or a forgotten object. */
  #hasNoEffect(change: PlannedChange): boolean {
    return !hasMoved(change) && changeDiff(this.#plan, change).diff.action === 'no-op';
  }

  // ---------- outputs ----------

  #outputLines(): string {
    const palette = this.#palette;
    let width = 0;
    const writtenNames = this.#plan.outputs.map((output) => {
      const name = attributeName(output.name);
      width = Math.max(width, palette.widthOf(name));
      return name;
    });
    const lines: string[] = [];
    this.#plan.outputs.forEach((output, i) => {
      const diff = diffOfOutput(output);
      if (diff.action === 'no-op') return;
      const name = palette.pad(writtenNames[i] ?? '', width);
      lines.push(`${palette.symbols[diff.action]} ${name} = ${draw(diff, 0, topOptions(palette))}`);
    });
    return lines.join('\n');
  }
}

/** Order of the actions that a change triggers: by block, then by position in it. */
function compareTriggers(
  { trigger: a }: PlannedInvocation,
  { trigger: b }: PlannedInvocation,
): number {
  if (a.kind !== 'lifecycle' || b.kind !== 'lifecycle') return 0;
  return a.block - b.block || a.position - b.position;
}

const LEGEND: readonly (readonly [Action, string])[] = [
  ['create', '  [green]+[reset] create'],
  ['update', '  [yellow]~[reset] update in-place'],
  ['delete', '  [red]-[reset] destroy'],
  ['delete-then-create', '[red]-[reset]/[green]+[reset] destroy and then create replacement'],
  ['create-then-delete', '[green]+[reset]/[red]-[reset] create replacement and then destroy'],
  ['read', ' [cyan]<=[reset] read (data resources)'],
  [
    'create-then-forget',
    '[green]+[reset]/[red].[reset] create replacement and forget, without destroying',
  ],
  [
    'forget-then-create',
    '[red].[reset]/[green]+[reset] forget, without destroying, and create replacement',
  ],
];
