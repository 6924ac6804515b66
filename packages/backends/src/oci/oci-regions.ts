import type { Environment } from '@terrane/host';
import { fieldsOf, textIn } from '../json-fields.ts';

/** Domains of the realms other than the commercial one, and their regions. */
const REALMS: Readonly<Record<string, readonly string[]>> = {
  'oraclegovcloud.com': [
    'us-langley-1',
    'us-luke-1',
    'us-gov-ashburn-1',
    'us-gov-chicago-1',
    'us-gov-phoenix-1',
  ],
  'oraclegovcloud.uk': ['uk-gov-london-1', 'uk-gov-cardiff-1'],
  'oraclecloud8.com': ['ap-chiyoda-1', 'ap-ibaraki-1'],
  'oraclecloud9.com': ['me-dcc-muscat-1', 'me-ibri-1'],
  'oraclecloud10.com': ['ap-dcc-canberra-1'],
  'oraclecloud14.com': [
    'eu-dcc-milan-1',
    'eu-dcc-milan-2',
    'eu-dcc-dublin-2',
    'eu-dcc-rating-2',
    'eu-dcc-rating-1',
    'eu-dcc-dublin-1',
  ],
  'oraclecloud15.com': ['ap-dcc-gazipur-1'],
  'oraclecloud.eu': ['eu-madrid-2', 'eu-frankfurt-2'],
  'oraclecloud20.com': ['eu-jovanovac-1'],
  'oraclecloud21.com': ['me-dcc-doha-1', 'me-alrayyan-1'],
  'oraclecloud23.com': ['us-somerset-1', 'us-thames-1'],
  'oraclecloud24.com': ['eu-dcc-zurich-1', 'eu-crissier-1'],
  'oraclecloud26.com': ['me-abudhabi-3', 'me-alain-1'],
  'oraclecloud29.com': ['me-abudhabi-2', 'me-abudhabi-4'],
  'oraclecloud35.com': ['ap-seoul-2', 'ap-suwon-1', 'ap-chuncheon-2'],
  'oraclecloud42.com': ['us-ashburn-2', 'us-newark-1'],
  'oraclecloud51.com': ['eu-budapest-1'],
  'oraclecloud52.com': ['sa-riodejaneiro-1'],
};

/** Keys of regions, by which they may be called too. */
const KEYS: Readonly<Record<string, string>> = {
  yny: 'ap-chuncheon-1',
  hyd: 'ap-hyderabad-1',
  mel: 'ap-melbourne-1',
  bom: 'ap-mumbai-1',
  kix: 'ap-osaka-1',
  icn: 'ap-seoul-1',
  syd: 'ap-sydney-1',
  nrt: 'ap-tokyo-1',
  yul: 'ca-montreal-1',
  yyz: 'ca-toronto-1',
  ams: 'eu-amsterdam-1',
  fra: 'eu-frankfurt-1',
  zrh: 'eu-zurich-1',
  jed: 'me-jeddah-1',
  dxb: 'me-dubai-1',
  gru: 'sa-saopaulo-1',
  cwl: 'uk-cardiff-1',
  lhr: 'uk-london-1',
  iad: 'us-ashburn-1',
  phx: 'us-phoenix-1',
  sjc: 'us-sanjose-1',
  vcp: 'sa-vinhedo-1',
  scl: 'sa-santiago-1',
  mtz: 'il-jerusalem-1',
  mrs: 'eu-marseille-1',
  sin: 'ap-singapore-1',
  auh: 'me-abudhabi-1',
  lin: 'eu-milan-1',
  arn: 'eu-stockholm-1',
  jnb: 'af-johannesburg-1',
  cdg: 'eu-paris-1',
  qro: 'mx-queretaro-1',
  mad: 'eu-madrid-1',
  ord: 'us-chicago-1',
  mty: 'mx-monterrey-1',
  aga: 'us-saltlake-2',
  bog: 'sa-bogota-1',
  vap: 'sa-valparaiso-1',
  xsp: 'ap-singapore-2',
  ruh: 'me-riyadh-1',
  onm: 'ap-delhi-1',
  hsg: 'ap-batam-1',
  orf: 'eu-madrid-3',
  nrq: 'eu-turin-1',
  jbp: 'ap-kulai-2',
  lej: 'af-casablanca-1',
  lfi: 'us-langley-1',
  luf: 'us-luke-1',
  ric: 'us-gov-ashburn-1',
  pia: 'us-gov-chicago-1',
  tus: 'us-gov-phoenix-1',
  ltn: 'uk-gov-london-1',
  brs: 'uk-gov-cardiff-1',
  nja: 'ap-chiyoda-1',
  ukb: 'ap-ibaraki-1',
  mct: 'me-dcc-muscat-1',
  ibr: 'me-ibri-1',
  wga: 'ap-dcc-canberra-1',
  bgy: 'eu-dcc-milan-1',
  mxp: 'eu-dcc-milan-2',
  snn: 'eu-dcc-dublin-2',
  dtm: 'eu-dcc-rating-2',
  dus: 'eu-dcc-rating-1',
  ork: 'eu-dcc-dublin-1',
  dac: 'ap-dcc-gazipur-1',
  vll: 'eu-madrid-2',
  str: 'eu-frankfurt-2',
  beg: 'eu-jovanovac-1',
  doh: 'me-dcc-doha-1',
  vve: 'me-alrayyan-1',
  ebb: 'us-somerset-1',
  ebl: 'us-thames-1',
  avz: 'eu-dcc-zurich-1',
  avf: 'eu-crissier-1',
  ahu: 'me-abudhabi-3',
  rba: 'me-alain-1',
  rkt: 'me-abudhabi-2',
  shj: 'me-abudhabi-4',
  dtz: 'ap-seoul-2',
  dln: 'ap-suwon-1',
  bno: 'ap-chuncheon-2',
  yxj: 'us-ashburn-2',
  pgc: 'us-newark-1',
  jsk: 'eu-budapest-1',
  hnw: 'sa-riodejaneiro-1',
};

const COMMERCIAL = 'oraclecloud.com';

/** The name of a region, of that or of its key. */
export function regionOf(nameOrKey: string): string {
  const name = nameOrKey.toLowerCase();
  return KEYS[name] ?? name;
}

/**
 * Returns the host of a service in a region. A region with a dot is a domain already. `OCI_REGION_METADATA` may
 * describe an unknown region, or `OCI_DEFAULT_REALM` its domain.
 */
export function serviceHost(service: string, region: string, environment: Environment): string {
  if (region.includes('.')) return `${service}.${region}`;
  const existing = Object.entries(REALMS).find(([, regions]) => regions.includes(region));
  return `${service}.${region}.${existing?.[0] ?? configuredDomain(region, environment)}`;
}

function configuredDomain(region: string, environment: Environment): string {
  try {
    const metadata = fieldsOf(JSON.parse(environment.get('OCI_REGION_METADATA') ?? ''));
    const domain = textIn(metadata, 'realmDomainComponent');
    if (domain !== '' && textIn(metadata, 'regionIdentifier').toLowerCase() === region)
      return domain;
  } catch {
    // Malformed metadata is ignored, as in Oracle's own tools.
  }
  const realm = environment.get('OCI_DEFAULT_REALM') ?? '';
  return realm.includes('.') ? realm : COMMERCIAL;
}
