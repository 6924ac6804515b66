import type { RegionalAws } from '../clients/aws.ts';

/**
 * Deletes all versions of all objects of a bucket, or of one object; `locked`: also those under a legal hold or
 * retention.
 */
export async function emptyBucket(
  { s3 }: RegionalAws,
  Bucket: string,
  { key, locked = false }: { readonly key?: string; readonly locked?: boolean } = {},
): Promise<void> {
  for (;;) {
    // Deleted objects are not listed again, so each request returns the next page without a marker.
    const page = await s3.listObjectVersions({ Bucket, ...(key !== undefined && { Prefix: key }) });
    const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].flatMap(
      ({ Key, VersionId }) =>
        Key === undefined || (key !== undefined && Key !== key) ? [] : [{ Key, VersionId }],
    );
    if (versions.length === 0) return;
    if (locked) {
      for (const each of page.Versions ?? []) await release(s3, Bucket, each.Key, each.VersionId);
    }
    const { Errors = [] } = await s3.deleteObjects({
      Bucket,
      Delete: { Objects: versions.slice(0, 1000), Quiet: true },
      ...(locked && { BypassGovernanceRetention: true }),
    });
    const [failed] = Errors;
    if (failed !== undefined) {
      const { Key = '', VersionId = '', Code = '', Message = '' } = failed;
      throw new Error(
        `deleting S3 Object (${Key}) version (${VersionId}) from bucket ${Bucket}: ${Code}: ${Message}`,
      );
    }
  }
}

/** Removes the legal hold of a version. */
async function release(
  s3: RegionalAws['s3'],
  Bucket: string,
  Key: string | undefined,
  VersionId: string | undefined,
): Promise<void> {
  const head = await s3.headObject({ Bucket, Key, VersionId });
  if (head.ObjectLockLegalHoldStatus !== 'ON') return;
  await s3.putObjectLegalHold({ Bucket, Key, VersionId, LegalHold: { Status: 'OFF' } });
}
