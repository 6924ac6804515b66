output "o01" {
  value = setunion(["a"], [1], [true])
}
output "o02" {
  value = setintersection([1, 2], ["2"])
}
output "o03" {
  value = setsubtract(["a", "b"], ["a"])
}
output "o04" {
  value = setproduct(["a", "b"], [1, true])
}
output "o05" {
  value = setproduct(toset(["b", "a"]), toset([1]))
}
output "o06" {
  value = toset([1, "1", true])
}
output "o07" {
  value = distinct([1, "1", 1])
}
output "o08" {
  value = contains(toset([1]), 1)
}
output "o09" {
  value = sort(toset(["b", "a"]))
}
output "o10" {
  value = tolist(toset([3, 1, 2]))
}
output "o11" {
  value = setunion([], [])
}
output "o12" {
  value = setproduct(["a"], [])
}
output "o13" {
  value = length(setproduct([1, 2, 3], ["x", "y"]))
}
