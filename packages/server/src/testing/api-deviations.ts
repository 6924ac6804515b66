/** Responses that differ from the OpenAPI document on purpose: a pattern of the problem, and the reason. */
export const DEVIATIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^POST \/teams\/\{id\}\/authentication-token 201: \/data must be array/,
    'The document describes the list of tokens; the published API creates one token, and so do its clients.',
  ],
  [
    /^GET \/configuration-versions\/\{configuration_version_id\}\/ingress-attributes 200:  must have required property '(type|attributes)'/,
    'The document lacks the envelope `data` that every other resource has, and that clients require.',
  ],
  [
    /^GET \/plans\/\{id\}\/json-output 200: the status is not one of/,
    'The document redirects to the storage of plans; the server answers with the plan itself, which clients accept.',
  ],
  [
    /^GET \/projects\/\{project_id\} 200: \/data\/relationships\/effective-tag-bindings\/data must be object/,
    'The document describes one binding; a project has several, and clients read a list.',
  ],
];

/** Returns the reason of a deviation; undefined if there is none. */
export function deviationOf(problem: string): string | undefined {
  return DEVIATIONS.find(([pattern]) => pattern.test(problem))?.[1];
}
