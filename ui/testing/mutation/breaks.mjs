// What can be broken in a file of TypeScript, and the file with all of its breaks in it, one of which is on at a
// time.
import ts from 'typescript'

const { SyntaxKind } = ts

const TURNED = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.EqualsEqualsToken, '!='],
  [SyntaxKind.ExclamationEqualsToken, '=='],
])

/**
 * Finds the breaks of a source file: an operand of && and || goes, a default after ?? or of a parameter goes, a
 * comparison is turned, true and false are swapped, the arms of ?: are swapped, a guard that leaves early or a call
 * whose result nobody reads is taken out.
 */
export function breaksIn(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const out = []
  const text = (node) => source.slice(node.getStart(tree), node.end)

  /** Adds a break that puts text in place of a node. What is shown may be of a larger node. */
  const add = (node, kind, instead, was = text(node), shown = instead) => {
    const start = node.getStart(tree)
    const { line } = tree.getLineAndCharacterOfPosition(start)
    out.push({
      file,
      kind,
      start,
      end: node.end,
      with: instead,
      line: line + 1,
      lineText: source.split('\n', line + 1)[line].trim(),
      change: `${firstLine(was)}  ->  ${firstLine(shown)}`.trim(),
      begins: beginsStatement(node, start, tree),
      top: !ts.findAncestor(node, ts.isFunctionLike),
    })
  }

  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const { left, right, operatorToken } = node
      const turned = TURNED.get(operatorToken.kind)
      switch (operatorToken.kind) {
        case SyntaxKind.AmpersandAmpersandToken:
        case SyntaxKind.BarBarToken:
          add(node, 'expression', text(left))
          add(node, 'expression', text(right))
          break
        case SyntaxKind.QuestionQuestionToken:
          add(node, 'expression', text(left))
          break
        default:
          if (turned) add(node, 'expression', `${text(left)} ${turned} ${text(right)}`)
      }
    } else if (ts.isConditionalExpression(node)) {
      const { condition, whenTrue, whenFalse } = node
      const swapped = `${text(condition)} ? ${text(whenFalse)} : ${text(whenTrue)}`
      add(condition, 'expression', `!(${text(condition)})`, text(node), swapped)
    } else if (ts.isIfStatement(node)) {
      const { expression } = node
      if (leaves(node)) add(expression, 'expression', 'false', text(expression), `false && (${text(expression)})`)
    } else if (ts.isExpressionStatement(node)) {
      if (isCall(node.expression)) add(node, 'statement', '')
    } else if (node.kind === SyntaxKind.TrueKeyword) {
      add(node, 'expression', 'false')
    } else if (node.kind === SyntaxKind.FalseKeyword) {
      add(node, 'expression', 'true')
    } else if ((ts.isParameter(node) || ts.isBindingElement(node)) && node.initializer) {
      add(node.initializer, 'expression', 'undefined', text(node), text(node.name))
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return out
}

/** A guard has no other branch and ends with return, throw, continue or break. */
function leaves({ elseStatement, thenStatement }) {
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement
  return (
    !elseStatement &&
    last !== undefined &&
    (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isBreakOrContinueStatement(last))
  )
}

function isCall(node) {
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return isCall(node.expression)
  return ts.isCallExpression(node) && node.expression.kind !== SyntaxKind.SuperKeyword
}

/** Where a statement of a list begins with a parenthesis, a line before it without a semicolon would call it. */
function beginsStatement(node, start, tree) {
  const statement = ts.findAncestor(node, ts.isStatement)
  return Boolean(
    statement &&
      ts.isExpressionStatement(statement) &&
      statement.getStart(tree) === start &&
      !ts.isIfStatement(statement.parent) &&
      !ts.isIterationStatement(statement.parent, false),
  )
}

function firstLine(text) {
  const [line, ...more] = text.trim().split('\n')
  return more.length > 0 ? `${line} ...` : line
}

/** The text of a file with a break alone, as the compiler would be given it. */
export function broken(source, { kind, start, end, with: instead, begins }) {
  const text = kind === 'statement' ? '{}' : `${begins ? ';' : ''}(${instead})`
  return source.slice(0, start) + text + source.slice(end)
}

/** The text of a file with numbered breaks, each of which is on when `mutationOn` says so. */
export function switched(source, breaks) {
  const render = (start, end, inner) => {
    let out = ''
    let at = start
    for (let i = 0; i < inner.length; ) {
      const outer = inner[i]
      const next = inner.findIndex((one, j) => j > i && one.start >= outer.end)
      const until = next < 0 ? inner.length : next
      const was = render(outer.start, outer.end, inner.slice(i + 1, until))
      out += source.slice(at, outer.start) + put(outer, was, outer.begins && (at > start || start === 0))
      at = outer.end
      i = until
    }
    return out + source.slice(at, end)
  }
  return render(
    0,
    source.length,
    breaks.toSorted((a, b) => a.start - b.start || b.end - a.end || order(a) - order(b)),
  )
}

/** A statement is outside of the expression that it consists of. */
const order = ({ kind }) => (kind === 'statement' ? 0 : 1)

function put({ kind, number, with: instead }, was, begins) {
  if (kind === 'statement') return `{ if (!mutationOn(${number})) { ${was} } }`
  return `${begins ? ';' : ''}(mutationOn(${number}) ? (${instead}) : (${was}))`
}
