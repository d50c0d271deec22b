import type { ComponentType } from 'react'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { ExpressionField, NumberField } from '../shared/fields'
import { Section } from '../shared/section'
import { BarcodePanel } from './panels/barcode'
import { ColumnPanel } from './panels/column'
import { LogPanel } from './panels/log'
import { PicturePanel } from './panels/picture'
import type { PanelProps } from './panels/props'
import { QrCodePanel } from './panels/qr-code'
import { ShapePanel } from './panels/shape'
import { SheetPanel } from './panels/sheet'
import { SignaturePanel } from './panels/signature'
import { TextPanel } from './panels/text'
import { boxOf, type Element, type ElementType } from './template'

const PANELS: Record<ElementType, ComponentType<PanelProps>> = {
  column: ColumnPanel,
  text: TextPanel,
  sheet: SheetPanel,
  workflowLog: LogPanel,
  picture: PicturePanel,
  line: ShapePanel,
  rectangle: ShapePanel,
  barcode: BarcodePanel,
  qrCode: QrCodePanel,
  signature: SignaturePanel,
}

type Props = Omit<PanelProps, 'element' | 'several'> & { elements: Element[] }

/** The properties of what is chosen: of one element all, of several what they have in common. */
export function ElementPanel({ elements, ...place }: Props) {
  const [first, ...more] = elements
  if (!first) return null
  const Panel = PANELS[first.eleType]
  const several = more.length > 0
  return (
    <>
      <Place element={first} several={several} />
      {more.every((one) => one.eleType === first.eleType) && <Panel {...place} element={first} several={several} />}
      <Condition />
    </>
  )
}

function Place({ element, several }: { element: Element; several: boolean }) {
  const t = useText()
  const mm = t('paper.mm')
  const usual = several ? '' : String(boxOf(element).height)
  return (
    <Section title={t('paper.sections.place')} keys={['left', 'top', 'widthValue', 'heightValue']} open>
      <div className={frame.pair}>
        <NumberField path={['left']} label={t('paper.left')} max={2000} unit={mm} />
        <NumberField path={['top']} label={t('paper.top')} max={2000} unit={mm} />
      </div>
      <div className={frame.pair}>
        <NumberField path={['widthValue']} label={t('paper.width')} max={2000} unit={mm} />
        <NumberField path={['heightValue']} label={t('paper.height')} max={2000} unit={mm} placeholder={usual} />
      </div>
    </Section>
  )
}

function Condition() {
  const t = useText()
  return (
    <Section title={t('paper.sections.condition')} keys={['displayFormula']}>
      <ExpressionField path={['displayFormula']} label={t('paper.shownWhere')} hint={t('paper.conditionHint')} />
    </Section>
  )
}
