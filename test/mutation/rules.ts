import * as ts from 'typescript/unstable/ast'

/** One change of a source: `text` takes the place of what stands from `start` to `end`. */
export interface Mutant {
  rule: keyof typeof rules
  start: number
  end: number
  text: string
}

type Edit = Omit<Mutant, 'rule'>
const { SyntaxKind } = ts

const opposites: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' }

const edit = (node: ts.Node, text: string): Edit => ({ start: node.getStart(), end: node.getEnd(), text })

/** Leaves out a member of a list, with its comma. */
function leaveOut(list: ts.NodeArray<ts.Node>, index: number): Edit {
  const next = list[index + 1]
  const start = (list[index] as ts.Node).getStart()
  if (next) return { start, end: next.getStart(), text: '' }
  const former = list[index - 1]
  return { start: former ? former.getEnd() : start, end: (list[index] as ts.Node).getEnd(), text: '' }
}

/** The names that a function is given: its parameters, and those that these are taken apart into. */
function givenTo(node: ts.Node): string[] {
  const within: ts.Node | undefined = node.parent
  if (!within) return []
  const own: string[] = []
  const collect = (name: ts.Node): void => {
    if (ts.isIdentifier(name)) own.push(name.text)
    else name.forEachChild(element => void (ts.isBindingElement(element) && element.name && collect(element.name)))
  }
  if (ts.isFunctionDeclaration(within) || ts.isArrowFunction(within) || ts.isMethodDeclaration(within))
    for (const { name } of within.parameters) collect(name)
  return [...own, ...givenTo(within)]
}

/** The changes that a rule makes at a node. */
export const rules = {
  'a comparison turned': node => {
    if (!ts.isBinaryExpression(node)) return []
    const text = opposites[node.operatorToken.getText()]
    return text === undefined ? [] : [edit(node.operatorToken, text)]
  },
  'a number moved by one': node =>
    ts.isNumericLiteral(node) && /^[\d_]+$/.test(node.getText())
      ? [edit(node, String(Number(node.getText().replaceAll('_', '')) + 1))]
      : [],
  'a condition left out': node => {
    if (ts.isIfStatement(node)) return [edit(node.expression, 'true'), edit(node.expression, 'false')]
    if (ts.isConditionalExpression(node))
      return [edit(node, node.whenTrue.getText()), edit(node, node.whenFalse.getText())]
    if (!ts.isBinaryExpression(node)) return []
    const { kind } = node.operatorToken
    const isCondition = kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken
    return isCondition || kind === SyntaxKind.QuestionQuestionToken
      ? [edit(node, node.left.getText()), edit(node, node.right.getText())]
      : []
  },
  'an attribute left out': node =>
    ts.isObjectLiteralExpression(node) ? node.properties.map((_, index) => leaveOut(node.properties, index)) : [],
  'an argument from another source': node => {
    if (!ts.isCallExpression(node)) return []
    return node.arguments.flatMap(argument => {
      if (!ts.isIdentifier(argument) && !ts.isPropertyAccessExpression(argument)) return []
      const own = argument.getText()
      const others = [...node.arguments.map(each => each.getText()), ...givenTo(node)]
      return [...new Set(others)]
        .filter(other => other !== own && /^[\w.]+$/.test(other))
        .map(other => edit(argument, other))
    })
  },
} satisfies Record<string, (node: ts.Node) => Edit[]>

/** Every mutant of a source, by the place where it begins. What only types see has none. */
export function mutantsOf(source: ts.SourceFile): Mutant[] {
  const found: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    for (const [rule, make] of Object.entries(rules) as [keyof typeof rules, (node: ts.Node) => Edit[]][])
      found.push(...make(node).map(made => ({ rule, ...made })))
    node.forEachChild(visit)
  }
  visit(source)
  return found.sort((a, b) => a.start - b.start)
}
