/**
 * The version of what packs import, `major.minor`. A name or a prop more is a minor one; what makes a bundle fail that was built before is a
 * major one. Bundles of another major or of a later minor are not loaded.
 */
export const SDK_VERSION = '1.3'

/** Whether a bundle that was built against a version runs in this one. */
export function fitsSdk(built: string, own = SDK_VERSION): boolean {
  const [major, minor] = own.split('.').map(Number)
  const match = /^(\d+)\.(\d+)$/.exec(built)
  return match !== null && Number(match[1]) === major && Number(match[2]) <= (minor ?? 0)
}
