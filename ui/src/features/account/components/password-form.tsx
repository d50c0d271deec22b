import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useErrorText, useFeedback } from '@/sdk/feedback'
import { useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { changePassword } from '../api'
import { minimumLength, passwordAccepted } from '../password-rule'
import { ErrorLine } from './error-line'

interface Values {
  oldPassword: string
  newPassword: string
  confirmation: string
}

export function PasswordForm({ onDone }: { onDone: () => void }) {
  const t = useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const minimum = minimumLength(useMe()?.permissions ?? [])
  const [form] = Form.useForm<Values>()
  const changing = useMutation({
    mutationFn: (values: Values) => changePassword(values.oldPassword, values.newPassword),
    onSuccess: () => {
      say.success(t('session.passwordChanged'))
      onDone()
    },
  })
  const rule = t('session.passwordRule', { min: minimum })
  const refuse = (text: string) => Promise.reject(new Error(text))
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={changing.mutate} disabled={changing.isPending}>
      <Form.Item
        name="oldPassword"
        label={t('session.oldPassword')}
        rules={[{ required: true, message: t('session.passwordMissing') }]}
      >
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        name="newPassword"
        label={t('session.newPassword')}
        extra={rule}
        validateTrigger="onBlur"
        rules={[
          {
            validator: async (_, value: string) => {
              if (!passwordAccepted(value ?? '', minimum)) return refuse(rule)
              if (value === form.getFieldValue('oldPassword')) return refuse(t('session.passwordSame'))
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="confirmation"
        label={t('session.confirmPassword')}
        dependencies={['newPassword']}
        rules={[
          {
            validator: async (_, value: string) =>
              value === form.getFieldValue('newPassword') ? undefined : refuse(t('session.passwordDiffers')),
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <ErrorLine text={changing.error ? errorText(changing.error) : null} />
      <Button type="primary" htmlType="submit" loading={changing.isPending}>
        {t('session.changePassword')}
      </Button>
    </Form>
  )
}
