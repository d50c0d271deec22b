import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useFeedback } from '@/sdk/feedback'
import { useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { changePassword } from '../api'
import { MAXIMUM, minimumLength, PROBLEMS, passwordProblem } from '../password-rule'
import { useRefusal } from '../use-refusal'
import { ErrorLine } from './error-line'

interface Values {
  oldPassword: string
  newPassword: string
  confirmation: string
}

export function PasswordForm({ onDone, block = false }: { onDone: () => void; block?: boolean }) {
  const t = useText()
  const say = useFeedback()
  const minimum = minimumLength(useMe()?.permissions ?? [])
  const [form] = Form.useForm<Values>()
  const changing = useMutation({
    mutationFn: (values: Values) => changePassword(values.oldPassword, values.newPassword),
    onSuccess: () => {
      say.success(t('session.passwordChanged'))
      onDone()
    },
  })
  const refusal = useRefusal(changing.error)
  const rule = t('session.passwordRule', { min: minimum, max: MAXIMUM })
  const refuse = (text: string) => Promise.reject(new Error(text))
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      onFinish={changing.mutate}
      disabled={changing.isPending}
      size={block ? 'large' : 'middle'}
    >
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
              const problem = passwordProblem(value ?? '', minimum)
              if (problem) return refuse(t(PROBLEMS[problem]))
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
            validator: async (_, value: string) => {
              if (!value) return refuse(t('session.passwordAgainMissing'))
              if (value !== form.getFieldValue('newPassword')) return refuse(t('session.passwordDiffers'))
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <ErrorLine text={refusal.text} />
      <Button
        type="primary"
        htmlType="submit"
        block={block}
        loading={changing.isPending}
        disabled={refusal.seconds > 0}
      >
        {refusal.seconds > 0 ? t('session.waitFor', { count: refusal.seconds }) : t('session.changePassword')}
      </Button>
    </Form>
  )
}
