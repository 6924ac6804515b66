output "o01" {
  value = yamlencode({a = join(" ", [for i in range(40) : "word${i}"])})
}
output "o02" {
  value = yamlencode([join("  ", [for i in range(40) : "é${i}"])])
}
output "o03" {
  value = yamlencode({deep = {deeper = [{text = join(" ", [for i in range(30) : "v${i}"])}]}})
}
output "o04" {
  value = yamldecode(yamlencode({a = join("  ", [for i in range(40) : "word${i}"])})).a
}
output "o05" {
  value = yamlencode("${join(" ", [for i in range(30) : "w${i}"])}\nline\n")
}
output "o06" {
  value = yamlencode({(join(" ", [for i in range(50) : "k${i}"])) = 1})
}
