import { App } from 'antd'
import { useHolds } from '@/sdk/form-hold'
import { useText } from '@/sdk/use-text'

/** What is on its way into the form: files that are being sent, and such as did not arrive. */
export function useWaiting() {
  const t = useText()
  const { message } = App.useApp()
  const { waiting, failed, hold } = useHolds()
  return {
    waiting,
    hold,
    any: waiting + failed > 0,
    /** Says so when something would be missing from the record if it were saved now. */
    mustWait: () => {
      if (failed > 0) void message.warning(t('file.lost', { count: failed }), 5)
      else if (waiting > 0) void message.warning(t('file.wait', { count: waiting }), 3)
      return waiting + failed > 0
    },
  }
}
