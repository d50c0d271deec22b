import { vi } from 'vitest'

/** An upload as the server's side sees it: how far it got, and what is answered. */
export interface FakeUpload {
  url: URL
  file: File
  headers: Record<string, string>
  aborted: boolean
  progress: (share: number) => void
  store: (data: object) => void
  refuse: (status: number, errcode: number, errmsg: string) => void
  /** The connection is lost. */
  drop: () => void
}

/** Stands in for XMLHttpRequest; each request waits until the test answers it. */
export function fakeUploads(): FakeUpload[] {
  const sent: FakeUpload[] = []
  class Request {
    upload: { onprogress?: (event: object) => void } = {}
    onload = () => {}
    onerror = () => {}
    onabort = () => {}
    status = 0
    responseText = ''
    #url = ''
    #headers: Record<string, string> = {}
    #upload: FakeUpload | undefined
    open(_: string, url: string) {
      this.#url = url
    }
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value
    }
    getResponseHeader = () => 'req-1'
    abort() {
      if (this.#upload) this.#upload.aborted = true
      this.onabort()
    }
    #answer(status: number, errcode: number, errmsg: string, data: object | null) {
      this.status = status
      this.responseText = JSON.stringify({ errcode, errmsg, data })
      this.onload()
    }
    send(body: FormData) {
      const file = body.get('file') as File
      this.#upload = {
        url: new URL(this.#url, 'http://test'),
        file,
        headers: this.#headers,
        aborted: false,
        progress: (share) =>
          this.upload.onprogress?.({ lengthComputable: true, loaded: share * file.size, total: file.size }),
        store: (data) => this.#answer(200, 0, '', data),
        refuse: (status, errcode, errmsg) => this.#answer(status, errcode, errmsg, null),
        drop: () => this.onerror(),
      }
      sent.push(this.#upload)
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  return sent
}
