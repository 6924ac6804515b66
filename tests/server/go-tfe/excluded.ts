/** Groups that are not run, and why. A pattern of names of groups. */
export const EXCLUDED: readonly (readonly [RegExp, string])[] = [
  [/^admin_/, 'administration of Terraform Enterprise'],
  [/^stack/, 'stacks'],
  [/^hyok_|_oidc_configuration$/, 'keys that customers hold, of HCP Terraform'],
  [/^github_app_installation$/, 'GitHub App of HashiCorp'],
  [/^oauth_(client|token)$/, 'needs an account at GitHub'],
  [/^(policy|policy_.*|tfpolicy_.*)$/, 'policy sets with Sentinel and OPA'],
  [/^(test_run|test_variables)$/, 'tests of modules in the registry at the server'],
  [/^registry_no_code_module$/, 'no-code provisioning'],
  [/^registry_component$/, 'components of stacks'],
  [/^provider_set$/, 'provider sets of HCP Terraform'],
  [/^(plan_export|cost_estimate|ip_ranges|query_runs)$/, 'not offered'],
  [/^organization_audit_configuration$/, 'settings of HCP Terraform'],
];

/** Single tests that are not run, and why. A pattern of names of tests. */
export const EXCLUDED_TESTS: readonly (readonly [RegExp, string])[] = [
  [/^Test_(Default)?(Registry)?BaseURL$/, 'sends requests to example.com'],
  [/_CostEstimate_/, 'not offered'],
  [/^TestAgents(List|Read)$/, "downloads HashiCorp's agent"],
];

/** Returns why a test is not run; undefined if it is. */
export function exclusionOf(test: string, group: string): string | undefined {
  return (
    EXCLUDED.find(([pattern]) => pattern.test(group))?.[1] ??
    EXCLUDED_TESTS.find(([pattern]) => pattern.test(test))?.[1]
  );
}
