output "o01" {
  value = regex("(?P<y>\\d{4})-(?P<m>\\d\\d)", "on 2019-02-01")
}
output "o02" {
  value = regex("(a)?(b)", "b")
}
output "o03" {
  value = regexall("(?i)[a-c]+", "xABCyabz")
}
output "o04" {
  value = regexall("\\b", "a b")
}
output "o05" {
  value = regex("\\p{Greek}+", "abγδ")
}
output "o06" {
  value = regex("(?s)a.b", "a\nb")
}
output "o07" {
  value = regexall("a*", "baac")
}
output "o08" {
  value = replace("2019-02-01", "/(\\d+)-(\\d+)-(\\d+)/", "$3/$2/$1")
}
output "o09" {
  value = replace("abc", "/(?P<x>b)/", "[$x]")
}
output "o10" {
  value = replace("a+b", "+", "$1")
}
output "o11" {
  value = replace("abc", "", "-")
}
output "o12" {
  value = regex("(?U)a+", "aaa")
}
output "o13" {
  value = regex("[^\\x00-\\x7F]+", "aéüb")
}
