// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { readFormQuery } from './form-query'

const read = (query: string) => readFormQuery(new URLSearchParams(query))

describe('the address of a form', () => {
  it('names a record, by either word', () => {
    expect(read('schemaCode=a&sheetCode=b&queryCode=c&key=1')).toMatchObject({
      schemaCode: 'a',
      sheetCode: 'b',
      queryCode: 'c',
      objectId: '1',
      edit: false,
      relation: null,
      task: null,
      startWorkflow: null,
      instance: null,
    })
    expect(read('schemaCode=a&objectId=2&edit=1').edit).toBe(true)
    expect(read('schemaCode=a&key=&objectId=2').objectId).toBe('2')
  })
  it('names what a new record refers to', () => {
    expect(read('schemaCode=a&relId=7&relPropertyCode=boat').relation).toEqual({ propertyCode: 'boat', id: '7' })
    expect(read('schemaCode=a&relId=7&relSchemacode=boat').relation).toEqual({
      propertyCode: '',
      schemaCode: 'boat',
      id: '7',
    })
  })
  it('of a notification is read first', () => {
    expect(read('schemaCode=a&key=1&isFromTips=true&edit=1&workitemType=UNFINISHED').edit).toBe(false)
    expect(read('isFromTips=true&workflowInstanceId=w').instance).toBe('w')
    expect(read('startWorkflowCode=leave').startWorkflow).toBe('leave')
    expect(read('schemaCode=a&workitemId=t&workflowInstanceId=w').task).toEqual({
      workItemId: 't',
      workflowInstanceId: 'w',
    })
    expect(read('workItemId=t').task).toEqual({ workItemId: 't', workflowInstanceId: null })
  })
  it('leads back to paths of this server only', () => {
    expect(read('return=%2Fapplication%2Fa').back).toBe('/application/a')
    for (const evil of [
      '//evil.example',
      'https://evil.example',
      '/%5Cevil.example',
      '/%09/evil.example',
      'javascript:1',
    ])
      expect(read(`return=${evil}`).back).toBeNull()
    expect(read('customButtonOpen=true').fromButton).toBe(true)
  })
})
