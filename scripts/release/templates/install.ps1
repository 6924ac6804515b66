# Installs Terrane @VERSION@ on Windows: downloads the archive, verifies its checksum and unpacks it.
#
#   TERRANE_INSTALL_DIR   directory of terrane.exe (default: %LOCALAPPDATA%\Programs\terrane)
#   TERRANE_DOWNLOAD_URL  address of the files of the release, for mirrors

function Install-Terrane {
    # Within the function, so that the session of the user who runs this script with iex keeps its settings.
    $ErrorActionPreference = 'Stop'
    # Windows PowerShell downloads many times slower while it draws progress.
    $ProgressPreference = 'SilentlyContinue'
    Set-StrictMode -Version Latest

    $version = '@VERSION@'
    $address = if ($env:TERRANE_DOWNLOAD_URL) { $env:TERRANE_DOWNLOAD_URL } else { '@DOWNLOAD@' }
    $target = if ($env:TERRANE_INSTALL_DIR) { $env:TERRANE_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\terrane' }
    if (-not [Environment]::Is64BitOperatingSystem) { throw 'There is no executable for 32-bit Windows.' }
    # Windows PowerShell does not offer TLS 1.2 by itself on older systems.
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

    $archive = "terrane_${version}_windows_amd64.zip"
    $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        Write-Host "Downloading $archive"
        Invoke-WebRequest -UseBasicParsing -Uri "$address/SHA256SUMS" -OutFile "$work\SHA256SUMS"
        Invoke-WebRequest -UseBasicParsing -Uri "$address/$archive" -OutFile "$work\$archive"

        $line = Get-Content "$work\SHA256SUMS" | Where-Object { $_.EndsWith("  $archive") } | Select-Object -First 1
        if (-not $line) { throw "SHA256SUMS does not list $archive. Nothing was installed." }
        $expected = ([string]$line).Substring(0, 64)
        $actual = (Get-FileHash -Algorithm SHA256 -Path "$work\$archive").Hash.ToLowerInvariant()
        if ($expected -ne $actual) {
            throw "The checksum of $archive is $actual instead of $expected. Nothing was installed."
        }

        Expand-Archive -Path "$work\$archive" -DestinationPath "$work\files"
        & "$work\files\terrane.exe" version | Out-Null
        if ($LASTEXITCODE -ne 0) {
            throw "The executable does not run here: it ended with code $LASTEXITCODE. Nothing was installed."
        }
        New-Item -ItemType Directory -Force -Path $target | Out-Null
        Copy-Item -Force "$work\files\terrane.exe" $target
        Copy-Item -Force "$work\files\THIRD-PARTY-NOTICES.txt" $target
        Write-Host "Installed Terrane $version as $target\terrane.exe"
        if (($env:Path -split ';') -notcontains $target) {
            Write-Host "Add $target to Path to run it as `"terrane`"."
        }
    }
    finally {
        Remove-Item -Recurse -Force $work
    }
}

# Called last: a script that was downloaded in part does nothing.
Install-Terrane
