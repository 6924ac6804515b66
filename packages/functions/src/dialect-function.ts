// Functions that do more in OpenTofu's files than in Terraform's.
import type { FunctionSpec } from '@terrane/cty';

const OPENTOFU = new WeakMap<FunctionSpec, FunctionSpec>();

/** The function as Terraform has it, which is another one in files of OpenTofu. */
export function inOpenTofu(terraform: FunctionSpec, opentofu: FunctionSpec): FunctionSpec {
  OPENTOFU.set(terraform, opentofu);
  return terraform;
}

/** The functions of a table as OpenTofu has them. */
export function functionsOfOpenTofu(
  table: ReadonlyMap<string, FunctionSpec>,
): ReadonlyMap<string, FunctionSpec> {
  return new Map([...table].map(([name, spec]) => [name, openTofuForm(spec)]));
}

/** The function as OpenTofu has it. */
export function openTofuForm(spec: FunctionSpec): FunctionSpec {
  return OPENTOFU.get(spec) ?? spec;
}
