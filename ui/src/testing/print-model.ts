import type { components } from '@/api/schema.gen'

type PrintModel = components['schemas']['PrintDesignModel']
type PrintProperty = components['schemas']['PrintDesignProperty']

// What the tests of the designer of print templates draw.

const property = (code: string, zh: string, more: Partial<PrintProperty> = {}): PrintProperty => ({
  code,
  label: { zh, i18n: { en: code } },
  propertyType: 'ShortText',
  system: false,
  sheet: false,
  opinions: false,
  person: false,
  files: false,
  number: false,
  formats: [],
  sums: [],
  options: false,
  unit: '',
  ...more,
})

export const sampleModel: PrintModel = {
  schemaCode: 'contract',
  label: { zh: '合同', i18n: { en: 'Contract' } },
  forms: [
    {
      sheetCode: 'contract',
      label: { zh: '合同', i18n: { en: 'Contract' } },
      items: [
        { propertyCode: '', label: { zh: '基本信息', i18n: { en: 'Basics' } } },
        { propertyCode: 'contractNo', label: { zh: '合同编号' } },
        { propertyCode: 'name', label: { zh: '名称 {全称}' } },
        { propertyCode: 'amount', label: { zh: '合同金额' } },
        { propertyCode: 'remark', label: { zh: '备注' } },
        { propertyCode: '', label: { zh: '付款' } },
        { propertyCode: 'payments', label: { zh: '付款' } },
      ],
    },
  ],
  properties: [
    property('contractNo', '合同编号'),
    property('name', '合同名称'),
    property('amount', '合同金额', {
      propertyType: 'Number',
      number: true,
      formats: ['plain', 'capitals'],
      sums: ['sum'],
    }),
    property('remark', '备注', { propertyType: 'LongText' }),
    property('photos', '照片', { propertyType: 'Attachment', files: true }),
    property('manager', '负责人', { propertyType: 'StaffSingle', person: true }),
    property('sequenceNo', '单据号', { system: true }),
    property('payments', '付款', { propertyType: 'Sheet', sheet: true }),
    property('payments.item', '事项'),
    property('payments.payable', '应付', { propertyType: 'Number', number: true, sums: ['sum'] }),
    property('partyB.name', '乙方 · 名称'),
  ],
  nodes: [{ code: 'check', label: { zh: '审核' }, workflowCode: 'approval' }],
  workflows: [{ code: 'approval', label: { zh: '审批' }, own: true }],
  lists: [
    {
      queryCode: 'inspection',
      label: { zh: '检验批', i18n: { en: 'Inspection lots' } },
      propertyCode: 'contract',
      properties: [
        property('lotNo', '检验批编号'),
        property('contract', '合同', { propertyType: 'RelateModel' }),
        property('items', '检查项目', { sheet: true }),
        property('items.name', '项目'),
        property('photos', '照片', { files: true }),
        property('sequenceNo', '单据号', { system: true }),
        property('quantity', '数量', { number: true, sums: ['sum'] }),
      ],
    },
  ],
}
