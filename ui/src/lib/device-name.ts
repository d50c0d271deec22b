const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger\/(\d+)/, 'WeChat'],
  [/DingTalk\/(\d+)/, 'DingTalk'],
  [/Edg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** What a browser says of itself, as people know it: "Chrome 142 · Windows". What nobody knows stays as it is, cut to 60 characters. */
export function deviceName(agent: string): string {
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1]
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(agent)?.[1]
    if (version) return [`${name} ${version}`, system].filter(Boolean).join(' · ')
  }
  return agent.slice(0, 60)
}
