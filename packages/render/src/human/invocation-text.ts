import { Bug } from '@terrane/cty';
import { actionSchemaOf, type PlannedInvocation } from '@terrane/engine';
import { blockDiff } from '../diff/block-diff.ts';
import { configOf } from '../json/invocations-json.ts';
import type { TextStyle } from '../text/style.ts';
import { draw } from './draw.ts';
import { topOptions } from './options.ts';
import { paletteOf } from './palette.ts';
import { changeOf } from './plan-diffs.ts';
import type { ShownPlan } from './shown-plan.ts';

/** Formats the configuration of an invoked action. */
export function invocationText(
  plan: ShownPlan,
  invocation: PlannedInvocation,
  style: TextStyle,
): string {
  const { addr } = invocation;
  const { type, name } = addr.action;
  const { schemas } = plan;
  const actionAddr = { provider: invocation.provider.provider, addr: addr.action };
  const schema = actionSchemaOf(schemas, actionAddr);
  if (schema === undefined) throw new Bug(`no schema for ${addr.text}`);
  const config = configOf(invocation, schemas);
  const diff = blockDiff(changeOf(config, config, {}), schema.block);
  const palette = paletteOf(style);
  const options = topOptions(palette, { showUnchanged: true, hideSymbols: true });
  // Every line but the first is indented, empty ones too.
  const text = draw(diff, 0, options).split('\n').join('\n        ');
  return `    # ${addr.text}\n    action "${type}" "${name}" {\n        config ${text}\n    }\n`;
}
