/** The properties of a run that tell what it is for. */
export interface RunProperties {
  readonly isDestroy: boolean;
  readonly isRefreshOnly: boolean;
  readonly isPlanOnly: boolean;
  readonly isSaved: boolean;
}

/** Returns the kind of a run as pages name it. */
export function runKind({ isDestroy, isRefreshOnly, isPlanOnly, isSaved }: RunProperties): string {
  const kind = isDestroy
    ? 'Destroy'
    : isRefreshOnly
      ? 'Refresh only'
      : isPlanOnly
        ? 'Plan'
        : 'Plan and apply';
  if (isPlanOnly) return `${kind}, speculative`;
  return isSaved ? `${kind}, saved plan` : kind;
}
