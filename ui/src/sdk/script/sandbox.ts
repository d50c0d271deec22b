/** What a script finds besides the language itself: nothing that reaches the network, other code, storage or the page. */
const KEPT = new Set([
  ...['Object', 'Array', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol', 'Math', 'JSON', 'Date', 'RegExp', 'Intl'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'Proxy', 'Reflect', 'Iterator'],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  ...['ArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array'],
  ...['Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
  ...['NaN', 'Infinity', 'undefined', 'globalThis', 'isNaN', 'isFinite', 'parseInt', 'parseFloat'],
  ...['encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask', 'structuredClone', 'console'],
  ...['TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams'],
])

/** Takes everything from a global object, and from what it inherits, that is not in the list above. */
export function lockDown(scope: object) {
  for (let at: object | null = scope; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (typeof key === 'symbol' || KEPT.has(key)) continue
      if (Reflect.deleteProperty(at, key)) continue
      Reflect.defineProperty(at, key, { value: undefined, writable: false, configurable: false })
    }
  }
}

/** Takes away what makes code from text by way of any function; the worker's policy forbids it too. */
export function forbidGeneratedCode() {
  const refuse = () => {
    throw new TypeError('not allowed in a script')
  }
  for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    const maker = Object.getPrototypeOf(sample) as object
    Object.defineProperty(maker, 'constructor', { value: refuse, writable: false, configurable: false })
  }
}
