import { describe, expect, it } from 'vitest'
import { isOwnPath, isSafeAddress, returnPath } from './address'

describe('addresses', () => {
  it.each(['/', '/a?b=c#d', '/form/detail?return=%2F%2Fevil.example', '/a//b', '/中文'])('takes %s', (url) => {
    expect(isOwnPath(url)).toBe(true)
    expect(returnPath(url)).toBe(url)
  })
  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/list\t',
    '/list\r\nX: y',
    '/list\u0085',
    '/\ud800',
    'https://evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
  ])('refuses %j as a path', (url) => {
    expect(isOwnPath(url)).toBe(false)
    expect(returnPath(url)).toBeNull()
  })
  it('never returns to the sign-in, nor along endless addresses', () => {
    expect(returnPath('/login?return=/')).toBeNull()
    expect(returnPath('/setup')).toBeNull()
    expect(returnPath(`/${'a'.repeat(2000)}`)).toBeNull()
    expect(returnPath(null)).toBeNull()
  })
  it('opens https as well', () => {
    expect(isSafeAddress('https://example.com/a')).toBe(true)
    expect(isSafeAddress('http://example.com/a')).toBe(false)
  })
})
