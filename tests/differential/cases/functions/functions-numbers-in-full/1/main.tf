output "o01" {
  value = pow(2, 100)
}
output "o02" {
  value = sum([0.1, 0.2])
}
output "o03" {
  value = parseint("ffffffffffffffffffffffffff", 16)
}
output "o04" {
  value = tonumber("1.00000000000000000000000001") + 1
}
output "o05" {
  value = max(123456789012345678901234567890, 1)
}
output "o06" {
  value = abs(-0.1)
}
output "o07" {
  value = ceil(123456789012345678901234567890.5)
}
output "o08" {
  value = floor(-0.5)
}
output "o09" {
  value = jsonencode(1/3)
}
output "o10" {
  value = jsondecode("1e100")
}
output "o11" {
  value = log(8, 2)
}
output "o12" {
  value = signum(-0.5)
}
output "o13" {
  value = format("%v", 1/3)
}
output "o14" {
  value = tostring(1e21)
}
output "o15" {
  value = 10 % 3.3
}
output "o16" {
  value = pow(10, -3)
}
output "o17" {
  value = min(0.1, 0.10000000000000000001)
}
