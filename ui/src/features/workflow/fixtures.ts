import type { Instance, WorkItem } from '@/sdk/work-items'
import type { Track, TrackNode } from './api'

// What tests of workflows are made of.

export const person = (id: string, name: string) => ({ id, name, imgUrl: null })
const initiator = person('u1', '李四')
const own = person('u0', '张三')

export const makeItem = (workItemId: string, more: Partial<WorkItem> = {}): WorkItem => ({
  workItemId,
  workflowInstanceId: `i-${workItemId}`,
  instanceName: `计量 ${workItemId}`,
  workflowCode: 'measure',
  workflowName: '计量期审批',
  workflowName_i18n: { en: 'Measurement approval' },
  appCode: 'lock',
  activityCode: 'n1',
  activityName: '专业监理',
  activityName_i18n: {},
  schemaCode: 'period',
  bizObjectId: 'r1',
  originator: initiator,
  participant: own,
  delegatedBy: null,
  workItemType: 'NORMAL',
  state: 'TODO',
  result: '',
  opinion: '',
  receiveTime: '2026-11-20T01:00:00Z',
  finishTime: null,
  dueTime: null,
  overdue: false,
  urgeCount: 0,
  canWithdraw: false,
  batch: false,
  instanceState: 'PROCESSING',
  remark: null,
  summary: [],
  votes: null,
  ...more,
})

export const makeInstance = (workflowInstanceId: string, more: Partial<Instance> = {}): Instance => ({
  workflowInstanceId,
  instanceName: `计量 ${workflowInstanceId}`,
  workflowCode: 'measure',
  workflowName: '计量期审批',
  workflowName_i18n: {},
  version: 1,
  appCode: 'lock',
  schemaCode: 'period',
  bizObjectId: 'r1',
  originator: initiator,
  state: 'PROCESSING',
  result: '',
  startTime: '2026-11-20T01:00:00Z',
  finishTime: null,
  current: [{ activityCode: 'n1', name: '专业监理', name_i18n: {}, type: 'APPROVE', mode: '', people: [own] }],
  summary: [],
  canRevoke: false,
  canUrge: false,
  canVoid: false,
  canRetry: false,
  canDelete: false,
  ...more,
})

export const makeNode = (
  activityCode: string,
  type: string,
  next: string[],
  more: Partial<TrackNode> = {},
): TrackNode => ({
  activityCode,
  type,
  name: activityCode,
  name_i18n: {},
  state: 'future',
  mode: '',
  next,
  routes: [],
  of: '',
  rounds: [],
  predicted: [],
  actions: [],
  ...more,
})

export const route = (to: string, name = '', otherwise = false) => ({ to, name, name_i18n: {}, default: otherwise })

export const makeTrack = (nodes: TrackNode[], log: Track['log'] = []): Track => ({
  instance: makeInstance('i1'),
  stuck: [],
  nodes,
  log,
})
