output "o01" {
  value = textencodebase64("é€", "windows-1252")
}
output "o02" {
  value = textencodebase64("é", "IBM437")
}
output "o03" {
  value = textencodebase64("hello", "UTF-16LE")
}
output "o04" {
  value = textencodebase64("hello", "UTF-16")
}
output "o05" {
  value = textencodebase64("Привет", "koi8-r")
}
output "o06" {
  value = textencodebase64("x{}", "IBM1047")
}
output "o07" {
  value = textencodebase64("日本", "shift_jis")
}
output "o08" {
  value = textdecodebase64("gg==", "cp850")
}
output "o09" {
  value = textdecodebase64("aABpAA==", "utf-16le")
}
output "o10" {
  value = textencodebase64("a", "us-ascii")
}
output "o11" {
  value = textdecodebase64("6fY=", "latin1")
}
output "o12" {
  value = textencodebase64("Ω", "iso-8859-7")
}
output "o13" {
  value = can(textencodebase64("€", "iso-8859-1"))
}
output "o14" {
  value = can(textencodebase64("a", "nope"))
}
output "o15" {
  value = can(textdecodebase64("/w==", "utf-8"))
}
