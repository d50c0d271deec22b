import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input, type InputRef } from 'antd'
import { useEffect, useRef } from 'react'
import { useText } from '@/sdk/use-text'
import { finishSignIn } from '../api-sign-in'
import { useRefusal } from '../use-refusal'
import { ErrorLine } from './error-line'

/** The code after the password. A recovery code goes into the same box. */
export function SecondStep({ ticket, onDone, onBack }: { ticket: string; onDone: () => void; onBack: () => void }) {
  const t = useText()
  const finishing = useMutation({
    mutationFn: (input: { code: string }) => finishSignIn(ticket, input.code),
    onSuccess: onDone,
  })
  const refusal = useRefusal(finishing.error)
  const box = useRef<InputRef>(null)
  // The box is disabled while the code is judged, which takes its focus away; the next code replaces the wrong one.
  useEffect(() => {
    if (finishing.error) box.current?.focus({ cursor: 'all' })
  }, [finishing.error])
  return (
    <Form
      layout="vertical"
      requiredMark={false}
      onFinish={finishing.mutate}
      disabled={finishing.isPending}
      size="large"
    >
      <Form.Item
        name="code"
        label={t('session.second.code')}
        extra={t('session.second.hint')}
        rules={[{ required: true, whitespace: true, message: t('session.second.missing') }]}
      >
        <Input
          ref={box}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={40}
        />
      </Form.Item>
      <ErrorLine text={refusal.text} />
      <Button type="primary" htmlType="submit" block loading={finishing.isPending} disabled={refusal.seconds > 0}>
        {refusal.seconds > 0 ? t('session.waitFor', { count: refusal.seconds }) : t('session.signIn')}
      </Button>
      <Button type="text" block onClick={onBack} style={{ marginTop: 8 }}>
        {t('session.second.back')}
      </Button>
    </Form>
  )
}
