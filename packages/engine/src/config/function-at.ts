import type { FunctionSpec } from '@terrane/cty';
import { openTofuForm } from '@terrane/functions';
import type { Range } from '@terrane/hcl';
import { dialectOf } from './dialect.ts';

/** Returns the function with a name, for a call at `place`; without `place`, as in Terraform. */
export function functionAt(
  table: ReadonlyMap<string, FunctionSpec>,
  name: string,
  place: Range | undefined,
): FunctionSpec | undefined {
  const spec = table.get(name);
  if (spec === undefined || place === undefined) return spec;
  return dialectOf(place) === 'opentofu' ? openTofuForm(spec) : spec;
}
