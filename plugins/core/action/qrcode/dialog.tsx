import { type ActionDialogProps, ApiError, Choice, get, localName, MOST_LABELS, useOpenPrint } from '@sluice/sdk'
import { Form, InputNumber, Modal, Radio } from 'antd'
import { useEffect, useState } from 'react'
import { LEAST, MOST, SIDE, sideOf, sizeFor, sizesFor } from './sizes'

/** Most properties in a caption; runtime/printing has the same limit. */
const LINES = 5
type Paper = 'label' | 'portrait' | 'landscape'

interface Item {
  code: string
  name: string
  system: boolean
}

/** What captions can hold: properties with one value. */
function useItems({ schemaCode, locale, say }: ActionDialogProps['context']) {
  const [items, setItems] = useState<Item[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read once
  useEffect(() => {
    get('/api/runtime/query/data_items', { schemaCode }).then(
      (all) =>
        setItems(
          all
            .filter(({ subSchema }) => !subSchema)
            .map((item) => ({ code: item.code, name: localName(item, locale), system: item.defaultProperty ?? false })),
        ),
      (error: unknown) => {
        setItems([])
        if (error instanceof ApiError) say.error(error)
      },
    )
  }, [])
  return items
}

/** Asks how large labels are and what they say, and opens their preview. */
export function LabelsDialog({ context, onClose }: ActionDialogProps) {
  const { t, schemaCode, queryCode, ids, say } = context
  const open = useOpenPrint()
  const items = useItems(context)
  const [width, setWidth] = useState<number | null>(SIDE)
  const [height, setHeight] = useState<number | null>(SIDE)
  const [codes, setCodes] = useState<string[]>([])
  const [chosen, setChosen] = useState<number | null>(null)
  const [paper, setPaper] = useState<Paper>('label')
  const sizes = sizesFor(sideOf(height), codes.length)
  const size = sizes.some(([, points]) => points === chosen) && chosen ? chosen : sizeFor(sideOf(height), codes.length)
  const show = () => {
    if (ids.length > MOST_LABELS) return say.warning(t('bulk.labelsTooMany', { most: MOST_LABELS }))
    open({
      schemaCode,
      queryCode,
      ids,
      labels: {
        width: sideOf(width),
        height: sideOf(height),
        fontSize: size,
        textData: codes.map((code) => ({ isDataItem: items?.find((i) => i.code === code)?.system ? 0 : 1, code })),
        sheet: paper === 'label' ? '' : 'A4',
        direction: paper === 'landscape' ? 'landscape' : 'portrait',
      },
    })
    onClose()
  }
  const group = (system: boolean) => ({
    label: t(system ? 'bulk.labelsSystem' : 'bulk.labelsData'),
    options: (items ?? [])
      .filter((item) => item.system === system)
      .map(({ code, name }) => ({ value: code, label: name })),
  })
  const side = (label: string, value: number | null, set: (value: number | null) => void) => (
    <Form.Item label={label} htmlFor={label} style={{ flex: 1, marginBottom: 16 }}>
      <InputNumber
        id={label}
        value={value}
        max={MOST}
        suffix="mm"
        style={{ width: '100%' }}
        onChange={set}
        onBlur={() => set(sideOf(value))}
        placeholder={`${LEAST}–${MOST}`}
      />
    </Form.Item>
  )
  return (
    <Modal
      open
      width={480}
      title={t('bulk.labels')}
      okText={t('bulk.labelsShow')}
      cancelText={t('common.cancel')}
      onOk={show}
      onCancel={onClose}
    >
      <Form layout="vertical" component="div" style={{ marginTop: 16 }}>
        <div style={{ display: 'flex', gap: 16 }}>
          {side(t('bulk.labelsWidth'), width, setWidth)}
          {side(t('bulk.labelsHeight'), height, setHeight)}
        </div>
        <Form.Item label={t('bulk.labelsText')} htmlFor="labels-text" style={{ marginBottom: 16 }}>
          <Choice
            id="labels-text"
            mode="multiple"
            maxCount={LINES}
            loading={items === null}
            value={codes}
            onChange={setCodes}
            options={[group(false), group(true)]}
            optionFilterProp="label"
            placeholder={t('bulk.labelsNoText')}
          />
        </Form.Item>
        <Form.Item label={t('bulk.labelsSize')} htmlFor="labels-size" style={{ marginBottom: 16 }}>
          <Choice
            id="labels-size"
            disabled={codes.length === 0}
            value={size}
            onChange={setChosen}
            options={sizes.map(([name, points]) => ({
              value: points,
              label: t('bulk.labelsPoints', { name, points }),
            }))}
          />
        </Form.Item>
        <Form.Item label={t('bulk.labelsPaper')} style={{ marginBottom: 0 }}>
          <Radio.Group
            value={paper}
            onChange={(e) => setPaper(e.target.value as Paper)}
            options={[
              { value: 'label', label: t('bulk.labelsOne') },
              { value: 'portrait', label: t('bulk.labelsPortrait') },
              { value: 'landscape', label: t('bulk.labelsLandscape') },
            ]}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
