// Whether files compile with breaks in them.
import ts from 'typescript'
import { broken } from './breaks.mjs'

/**
 * Answers which breaks compile. Each is put into a copy of its file beside it, which nobody imports: so one program of
 * the compiler, which takes most of the time, answers for all.
 */
export function compiler(root) {
  const config = ts.readConfigFile(`${root}ui/tsconfig.json`, ts.sys.readFile).config
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, `${root}ui`)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  const everywhere = fileNames.filter((file) => /^declare (module|global)\b/m.test(readFile(file) ?? ''))
  const copies = new Map()
  const parsed = new Map()
  host.fileExists = (file) => copies.has(file) || fileExists(file)
  host.readFile = (file) => copies.get(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest))
    return parsed.get(file)
  }
  return (breaks) => {
    const files = breaks.map((one, i) => {
      const file = root + one.file.replace(/(\.tsx?)$/, `.break${copies.size + i}$1`)
      return [file, broken(readFile(root + one.file), one)]
    })
    for (const [file, text] of files) copies.set(file, text)
    const program = ts.createProgram([...everywhere, ...files.map(([file]) => file)], options, host)
    return files.map(([file]) => {
      const tree = program.getSourceFile(file)
      return program.getSyntacticDiagnostics(tree).length === 0 && program.getSemanticDiagnostics(tree).length === 0
    })
  }
}
