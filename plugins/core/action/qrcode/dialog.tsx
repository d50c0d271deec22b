import {
  type ActionDialogProps,
  ApiError,
  Choice,
  get,
  localName,
  MOST_LABELS,
  type PrintLabels,
  Sheet,
  useOpenPrint,
  useSystemConfig,
} from '@sluice/sdk'
import { Button, Checkbox, Form, InputNumber } from 'antd'
import { useEffect, useState } from 'react'
import { MOST, SIDE, STOCKS, sideOf, sizeFor, sizesFor } from './sizes'

/** Most properties in a caption; runtime/printing has the same limit. */
const LINES = 5

/** What labels are printed on: a page each, as many as fit on a sheet, or one of STOCKS. */
type Paper = 'label' | 'portrait' | 'landscape' | (string & {})

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
  const hasLogo = Boolean(useSystemConfig()?.logoUrl)
  const [logo, setLogo] = useState(false)
  const stock = STOCKS.find(([name]) => name === paper)
  const high = stock ? stock[4] : sideOf(height)
  const sheet = paper !== 'label'
  const sizes = sizesFor(high, codes.length, sheet)
  const size = sizes.some(([, points]) => points === chosen) && chosen ? chosen : sizeFor(high, codes.length, sheet)
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
        sheet: (stock ? paper : sheet ? 'A4' : '') as NonNullable<PrintLabels['sheet']>,
        direction: paper === 'landscape' ? 'landscape' : 'portrait',
        ...(logo && hasLogo ? { logo } : {}),
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
      />
    </Form.Item>
  )
  const papers = [
    { value: 'label', label: t('bulk.labelsOne') },
    { value: 'portrait', label: t('bulk.labelsPortrait') },
    { value: 'landscape', label: t('bulk.labelsLandscape') },
    ...STOCKS.map(([value, columns, rows, across, along]) => ({
      value,
      label: t('bulk.labelsStock', { columns, rows, width: across, height: along }),
    })),
  ]
  return (
    <Sheet
      width={480}
      title={t('bulk.labels')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" onClick={show}>
            {t('bulk.labelsShow')}
          </Button>
        </>
      }
    >
      <Form layout="vertical" component="div" style={{ marginTop: 16 }}>
        <Form.Item label={t('bulk.labelsPaper')} htmlFor="labels-paper" style={{ marginBottom: 16 }}>
          <Choice id="labels-paper" value={paper} onChange={setPaper} options={papers} />
        </Form.Item>
        {!stock && (
          <div style={{ display: 'flex', gap: 16 }}>
            {side(t('bulk.labelsWidth'), width, setWidth)}
            {side(t('bulk.labelsHeight'), height, setHeight)}
          </div>
        )}
        <Form.Item label={t('bulk.labelsText')} htmlFor="labels-text" style={{ marginBottom: 16 }}>
          <Choice
            id="labels-text"
            mode="multiple"
            maxCount={LINES}
            loading={items === null}
            value={codes}
            onChange={setCodes}
            options={[group(false), group(true)]}
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
        {hasLogo && (
          <Checkbox checked={logo} onChange={(e) => setLogo(e.target.checked)}>
            {t('bulk.labelsLogo')}
          </Checkbox>
        )}
      </Form>
    </Sheet>
  )
}
