import type { FunctionSpec, Value } from '@terrane/cty';
import { inOpenTofu, openTofuForm } from './dialect-function.ts';

/** Throws CtyError if an earlier call of a function with equal arguments had another result. */
export type VerifyResult = (name: string, args: readonly Value[], result: Value) => void;

/**
 * Returns a function that verifies its results, as Terraform 1.13 does for functions that read files. In OpenTofu's
 * files the function is unchanged.
 */
export function withVerifiedResult(spec: FunctionSpec, verify: VerifyResult): FunctionSpec {
  const checked: FunctionSpec = {
    ...spec,
    implementation: (args, type) => {
      const result = spec.implementation(args, type);
      verify(spec.name, args, result);
      return result;
    },
  };
  return inOpenTofu(checked, openTofuForm(spec));
}
