output "digests" { value = [md5("hello"), sha1("hello"), sha256("hello"), sha512("hello"), md5(""), sha256("ünïcödé")] }
output "uuidv5" { value = [uuidv5("dns", "example.com"), uuidv5("url", "https://example.com/"), uuidv5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "x")] }
output "cidrhost" { value = [cidrhost("10.12.112.0/20", 16), cidrhost("10.12.112.0/20", 268), cidrhost("10.0.0.0/8", -2), cidrhost("fd00:fd12:3456:7890::/56", 34), cidrhost("192.168.1.77/24", 1)] }
output "cidrnetmask" { value = [cidrnetmask("172.16.0.0/12"), cidrnetmask("10.0.0.0/32")] }
output "cidrsubnet" { value = [cidrsubnet("172.16.0.0/12", 4, 2), cidrsubnet("10.1.2.0/24", 4, 15), cidrsubnet("fd00:fd12:3456:7890::/56", 16, 162), cidrsubnet("10.0.0.0/8", 0, 0)] }
output "cidrsubnets" { value = [cidrsubnets("10.1.0.0/16", 4, 4, 8, 4), cidrsubnets("10.0.0.0/8")] }
