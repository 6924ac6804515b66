locals {
  value = {
    string = "text with \"quotes\", <html> & ünïcödé \u2028"
    number = 1.50
    large  = 12345678901234567890
    bool   = true
    null   = null
    list   = [1, "two", [3]]
    empty  = { list = [], object = {}, string = "" }
    multi  = "line 1\nline 2\n"
    yes    = "yes"
    odd    = { "key with space" = 1, "1" = 2, "true" = 3, "a:b" = 4 }
    date   = "2020-01-01"
    hash   = "# no comment"
    tab    = "a\tb"
  }
}
output "jsonencode" { value = [jsonencode(local.value), jsonencode("x"), jsonencode(null), jsonencode(toset(["b", "a"])), jsonencode(1.0)] }
output "jsondecode" { value = [jsondecode("{\"a\": [1, 2.50, \"x\", null, true], \"b\": {}}"), jsondecode("\"s\""), jsondecode("123456789012345678901234567890"), jsondecode("null"), jsondecode("[]")] }
output "jsondecode_roundtrip" { value = jsondecode(jsonencode(local.value)) == local.value }
output "yamlencode" { value = yamlencode(local.value) }
output "yamlencode_simple" { value = [yamlencode("x"), yamlencode(["a", ["b", { c = 1 }]]), yamlencode(null), yamlencode(toset([2, 1])), yamlencode({}), yamlencode([]), yamlencode([{ a = 1, b = [] }, { a = 2 }])] }
output "yamldecode" { value = yamldecode("a: 1\nb: [x, 'y', \"z\"]\nc:\n  d: true\n  e: ~\n  f: 1.5\ng: |\n  multi\n  line\nh: 2020-01-01\ni: 0x10\nj: 'no'\nk: no\n") }
output "base64" { value = [base64encode("héllo"), base64decode("aGVsbG8="), base64encode("")] }
output "base64sha" { value = [base64sha256("x"), base64sha512("x")] }
output "urlencode" { value = urlencode("a b&c=d/é?") }
output "csvdecode" { value = csvdecode("a,b\n1,x\n2,\"quoted, comma\"\n") }
output "textencode" { value = [textencodebase64("Hi", "UTF-16LE"), textdecodebase64("SABpAA==", "UTF-16LE")] }
output "base64gzip_roundtrip_length" { value = length(base64gzip("hello")) > 10 }
