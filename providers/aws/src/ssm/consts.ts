/** Error codes for a missing parameter. */
export const NO_PARAMETER: readonly string[] = ['ParameterNotFound', 'InvalidResourceId'];
