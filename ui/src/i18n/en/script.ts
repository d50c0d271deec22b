export const script = {
  fault: '{words} ({why})',
  detailed: '{why}: {detail}',
  hookNotFound: 'there is no such hook, or it is not a function',
  actionRequired: 'no action was named, or the list has none of that name',
  scriptInvalid: "the page's script could not be loaded",
  versionNotFound: 'options.version must be 1.0 or 1.1',
  apiRequest: 'an api is a function, or an object with a request function',
  mode: 'mode is combine or replace',
  execution: "the page's script failed",
  result: "the page's script returned something that cannot be used",
  silent:
    "the page's script gave no answer for 2 seconds and was stopped; it starts again when the page is opened anew",
  noScript: 'the form has no script',
  confirm: 'Please confirm',
}
