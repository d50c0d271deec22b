// Whether a file compiles with a break in it.
import ts from 'typescript'
import { broken } from './breaks.mjs'

/** Answers whether a break compiles. The first answer takes as long as tsc, the next ones a moment. */
export function compiler(root) {
  const config = ts.readConfigFile(`${root}ui/tsconfig.json`, ts.sys.readFile).config
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, `${root}ui`)
  const texts = new Map()
  let version = 0
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(texts.get(file)?.version ?? 0),
    getScriptSnapshot: (file) => {
      const text = texts.get(file)?.text ?? ts.sys.readFile(file)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => `${root}ui`,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories, realpath: ts.sys.realpath },
  })
  return (one) => {
    const file = root + one.file
    const source = ts.sys.readFile(file)
    texts.set(file, { text: broken(source, one), version: ++version })
    const faults = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
    texts.set(file, { text: source, version: ++version })
    return faults.length === 0
  }
}
