// The secrets. Each has a text of its own, so that a finding identifies its origin.

/** Secrets, by where they come from. */
export const MARKERS = {
  /** `TF_VAR_…` of a sensitive variable */
  environment: 'marker-environment-4c1f',
  /** `-var` of a sensitive variable */
  option: 'marker-option-97ab',
  /** a file of values, of a sensitive variable */
  file: 'marker-file-e03d',
  /** what a provider makes, in a sensitive attribute */
  computed: 'marker-computed-58c2',
  /** the configuration of a provider, an ephemeral variable */
  token: 'marker-token-7f10',
  /** a write-only argument, an ephemeral variable */
  writeOnly: 'marker-write-only-b6d9',
  /** of an ephemeral resource, sensitive */
  ephemeralResult: 'marker-ephemeral-result-20ee',
  /** of an ephemeral resource, not sensitive */
  ephemeralPlain: 'marker-ephemeral-plain-c471',
} as const;

/** The secrets that no file may contain. */
export const EPHEMERAL: readonly string[] = [
  MARKERS.token,
  MARKERS.writeOnly,
  MARKERS.ephemeralResult,
  MARKERS.ephemeralPlain,
];

/** The ways in which a secret may be written: as it is, and encoded. Of base64 the middle, which is the same at any place. */
export function writings(marker: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${marker}`)
      .toString('base64')
      .slice(4, -4),
  );
  return [marker, ...base64, Buffer.from(marker).toString('hex'), marker.toUpperCase()];
}
