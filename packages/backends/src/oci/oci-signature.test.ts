import { expect, it } from 'vitest';
import { ociSigningText } from './oci-signature.ts';

// The examples of https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm
const DATE = 'Thu, 05 Jan 2014 21:31:40 GMT';

it('signs the documented headers of a request without a body', () => {
  const url = new URL(
    'https://iaas.us-phoenix-1.oraclecloud.com/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId=ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa&displayName=TeamXInstances&volumeId=ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q',
  );
  const { text } = ociSigningText({ method: 'GET', url, headers: { date: DATE } });
  expect(text).toBe(
    `date: ${DATE}\n(request-target): get ${url.pathname}${url.search}\nhost: iaas.us-phoenix-1.oraclecloud.com`,
  );
  expect(text).toContain('availabilityDomain=Pjwf%3A%20PHX-AD-1&');
});

it('signs the documented headers of a request with a body', () => {
  const { text, names } = ociSigningText({
    method: 'POST',
    url: new URL('https://iaas.us-phoenix-1.oraclecloud.com/20160918/volumeAttachments'),
    headers: {
      date: DATE,
      'content-length': '316',
      'content-type': 'application/json',
      'x-content-sha256': 'V9Z20UJTvkvpJ50flBzKE32+6m2zJjweHpDMX/U4Uy0=',
    },
    body: '{}',
  });
  expect(text).toBe(`date: Thu, 05 Jan 2014 21:31:40 GMT
(request-target): post /20160918/volumeAttachments
host: iaas.us-phoenix-1.oraclecloud.com
content-length: 316
content-type: application/json
x-content-sha256: V9Z20UJTvkvpJ50flBzKE32+6m2zJjweHpDMX/U4Uy0=`);
  expect(names).toHaveLength(6);
});
